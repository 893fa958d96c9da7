/**
 * `pnpm docs:check`: counts what is undocumented in each package, and fails unless that is nothing. Counted are the exports
 * of the public modules, and the members of those that are written out: of an interface, of an alias of record types, the
 * fields of an error. A member is documented by a docstring of its own, or by its name, in backticks, in that of its owner;
 * `_tag` and `message` speak for themselves.
 */
import { libraries, readModules, ts } from "./api-modules.mjs"

const spokenFor = new Set(["_tag", "message"])

/** The docstring of a declaration; of a constant, it stands before the whole statement. */
const docstring = (declaration) =>
  ts
    .getJSDocCommentsAndTags(ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration)
    .filter((comment) => ts.isJSDoc(comment) && comment.comment !== undefined)
    .map((comment) => comment.getText())
    .join("\n")

/** The members that are written in a type itself: not those of what it refers to. */
const membersOf = (type) => {
  if (ts.isTypeLiteralNode(type)) return type.members
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) return type.types.flatMap(membersOf)
  return ts.isParenthesizedTypeNode(type) ? membersOf(type.type) : []
}

const written = (declaration) => {
  if (ts.isInterfaceDeclaration(declaration)) return declaration.members
  if (ts.isTypeAliasDeclaration(declaration)) return membersOf(declaration.type)
  if (!ts.isClassDeclaration(declaration)) return []
  const bases = (declaration.heritageClauses ?? []).flatMap(({ types }) => types)
  return [...declaration.members, ...bases.flatMap((base) => base.typeArguments ?? []).flatMap(membersOf)]
}

/** What is counted of an export: itself and its members, each with whether it is documented. */
const look = (module, { declarations, name }) => {
  const owner = declarations.map(docstring).join("\n")
  const members = declarations.flatMap(written).flatMap((member) => {
    // A symbol as a name, and a private field, are there for the compiler alone.
    const { name: identifier } = member
    if (identifier === undefined || ts.isComputedPropertyName(identifier) || ts.isPrivateIdentifier(identifier))
      return []
    const memberName = identifier.getText()
    if (spokenFor.has(memberName)) return []
    const isNamed = docstring(member) !== "" || owner.includes(`\`${memberName}\``)
    return [{ name: `${module.name}.${name}.${memberName}`, isDocumented: isNamed }]
  })
  return [{ name: `${module.name}.${name}`, isDocumented: owner !== "" }, ...members]
}

const missing = libraries.flatMap((library) => {
  const { modules } = readModules(library)
  // The index has the modules again, and what comes from another package is counted there.
  const counted = modules
    .filter((module) => module.name !== "index")
    .flatMap((module) =>
      module.exports.filter(({ declarations }) => declarations.length > 0).flatMap((each) => look(module, each)),
    )
  const undocumented = counted.filter(({ isDocumented }) => !isDocumented).map(({ name }) => name)
  const verdict = undocumented.length === 0 ? "ok  " : "FAIL"
  console.log(`${verdict} ${library.manifest.name}: ${undocumented.length} of ${counted.length} undocumented`)
  for (const name of undocumented) console.log(`     ${name}`)
  return undocumented
})
process.exit(missing.length === 0 ? 0 : 1)

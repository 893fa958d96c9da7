/** What is wrong with a routes document, in words. No reason contains a value, which may be a secret. */
import * as SchemaAST from "effect/SchemaAST"
import type * as SchemaIssue from "effect/SchemaIssue"

/** The value of a field, or `undefined`. */
export const fieldOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

export interface PathIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly reason: string
}

const either = (names: ReadonlyArray<string>): string =>
  [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((part) => part !== "").join(" or ")

const expected = (ast: SchemaAST.AST): string => {
  const title = SchemaAST.resolveTitle(ast)
  if (title !== undefined) return title
  if (SchemaAST.isUnion(ast)) return `one of ${ast.types.map(expected).join(", ")}`
  if (SchemaAST.isLiteral(ast)) return String(ast.literal)
  return SchemaAST.isArrays(ast) ? "a list" : "a map of names to values"
}

const unknown = (parent: SchemaAST.AST | undefined): string => {
  if (parent === undefined || !SchemaAST.isObjects(parent)) return "is unknown"
  const [index] = parent.indexSignatures
  return index === undefined
    ? `is unknown: use ${either(parent.propertySignatures.map(({ name }) => String(name)))}`
    : `is not ${expected(index.parameter)}`
}

/** The field whose literals tell the members apart. Effect compares no member with a value without one of them. */
const ofDiscriminator = (ast: SchemaAST.Union, path: ReadonlyArray<PropertyKey>, document: unknown) => {
  const value = path.reduce(fieldOf, document)
  if (typeof value !== "object" || value === null) return []
  const fields = ast.types
    .flatMap((type) => (SchemaAST.isObjects(type) ? type.propertySignatures : []))
    .filter(({ type }) => SchemaAST.isLiteral(type))
  const [field] = fields
  if (field === undefined) return []
  const reason =
    field.name in value ? `is not one of ${fields.map(({ type }) => expected(type)).join(", ")}` : "is missing"
  return [{ path: [...path, field.name], reason }]
}

/** The issues of the member that the value was meant for: it accepts the kind of value, and more of its fields than the others. */
const ofUnion = (
  { ast, issues }: SchemaIssue.AnyOf,
  document: unknown,
  path: ReadonlyArray<PropertyKey>,
): ReadonlyArray<PathIssue> => {
  const found = issues.length === 0 ? ofDiscriminator(ast, path, document) : []
  if (found.length > 0) return found
  const [best, second] = issues
    .map((issue) => describe(issue, document, path))
    .filter((member) => member.every((found) => found.path.length > path.length))
    .toSorted((one, other) => one.length - other.length)
  return best === undefined || best.length === second?.length ? [{ path, reason: `is not ${expected(ast)}` }] : best
}

/** Lists all issues of the document. */
export const describe = (
  issue: SchemaIssue.Issue,
  document: unknown,
  path: ReadonlyArray<PropertyKey> = [],
  parent?: SchemaAST.AST,
): ReadonlyArray<PathIssue> => {
  switch (issue._tag) {
    case "Pointer":
      return describe(issue.issue, document, [...path, ...issue.path], parent)
    case "Composite":
      return issue.issues.flatMap((inner) => describe(inner, document, path, issue.ast))
    case "AnyOf":
      return ofUnion(issue, document, path)
    case "UnexpectedKey":
      return [{ path, reason: unknown(parent) }]
    case "MissingKey":
      return [{ path, reason: "is missing" }]
    case "Filter":
      return [{ path, reason: `is not ${String(issue.filter.annotations?.["title"])}` }]
    default:
      return [{ path, reason: `is not ${"ast" in issue ? expected(issue.ast) : "valid"}` }]
  }
}

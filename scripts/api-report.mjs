/**
 * The API report of a package: every public module with the signatures of its exports, sorted by name and without
 * docstrings, and with what those signatures refer to that is itself not exported.
 */
import { relative } from "node:path"
import { readModules, ts } from "./api-modules.mjs"
import { tool } from "./workspace.mjs"

const printer = ts.createPrinter({ newLine: ts.NewLineKind.LineFeed, removeComments: true })

const isSmall = (node) =>
  ts.isTypeLiteralNode(node) &&
  node.members.length === 1 &&
  (ts.isIndexSignatureDeclaration(node.members[0]) || node.members[0].name?.getText() === "exact")

/** How a parameter is taken apart is no part of its type, and `{ exact: true }` needs no three lines. */
const plain = (statement) => {
  const visitor = (context) => (node) => {
    const visited = ts.visitEachChild(node, visitor(context), context)
    if (isSmall(node)) return ts.setEmitFlags(visited, ts.EmitFlags.SingleLine)
    if (!ts.isParameter(node) || !ts.isObjectBindingPattern(node.name)) return visited
    const { dotDotDotToken, modifiers, questionToken, type } = visited
    return ts.factory.createParameterDeclaration(modifiers, dotDotDotToken, "options", questionToken, type)
  }
  return ts.transform(statement, [(context) => visitor(context)]).transformed[0]
}

const print = (statement) => printer.printNode(ts.EmitHint.Unspecified, plain(statement), statement.getSourceFile())

/** What the compiler writes for the base class of a tagged error: eight lines, of which the tag alone is ours. */
const taggedError = /^declare const (\w+): new <A extends .*\{\s*readonly _tag: ("\w+");\s*\} & Readonly<A>;$/s

/** The signatures of one module; a tagged error extends what its source says. */
const signatures = (statements) => {
  const texts = statements.map((statement) => ({ name: nameOf(statement), text: print(statement) }))
  const bases = new Map(texts.flatMap(({ text }) => [taggedError.exec(text) ?? []]).map(([, name, tag]) => [name, tag]))
  return texts
    .filter(({ name }) => !bases.has(name))
    .toSorted(byName)
    .map(({ text }) =>
      text.replace(/(?<= extends )\w+_base\b/, (base) =>
        bases.has(base) ? `Data.TaggedError(${bases.get(base)})` : base,
      ),
    )
}

const nameOf = (statement) =>
  ts.isVariableStatement(statement)
    ? statement.declarationList.declarations[0].name.getText()
    : statement.name.getText()

const byName = (one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)

/** The statement that a declaration stands in, if it is one of a module's own: a constant's, not a parameter's. */
const statementOf = (node) => {
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node
  return statement.parent !== undefined && ts.isSourceFile(statement.parent) ? statement : undefined
}

/** The imports of a module, one name a line. `Effect` from `effect/Effect` is what everyone expects, and is left out. */
const importsOf = (source) =>
  source.statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier: { text } }) => {
    const bindings = importClause?.namedBindings
    if (bindings === undefined) return []
    if (ts.isNamedImports(bindings))
      return bindings.elements.map((each) => `import { ${each.getText().replace(/^type /, "")} } from "${text}"`)
    const expected = /^@?effect\//.test(text) && text.endsWith(`/${bindings.name.text}`)
    return expected ? [] : [`import ${bindings.getText()} from "${text}"`]
  })

/** What a module hands on: the whole of an index, seldom more. */
const handedOn = (source) =>
  source.statements.filter((each) => ts.isExportDeclaration(each) && each.moduleSpecifier !== undefined).map(print)

/** Every statement to show, by the file that it stands in: the public ones, and what they refer to. */
const reach = ({ checker, declarationsOf, modules }) => {
  const files = new Map(modules.map(({ source }) => [source, new Set()]))
  const show = (statement) => {
    if (statement === undefined) return
    const source = statement.getSourceFile()
    const statements = files.get(source) ?? new Set()
    files.set(source, statements)
    if (statements.has(statement)) return
    statements.add(statement)
    follow(statement)
  }
  const follow = (node) => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined
    for (const declaration of symbol === undefined ? [] : declarationsOf(symbol)) show(statementOf(declaration))
    ts.forEachChild(node, follow)
  }
  for (const { exports } of modules)
    for (const { declarations } of exports) for (const each of declarations) show(statementOf(each))
  return files
}

/** The report as markdown, as the formatter leaves it. */
export const report = (library) => {
  const read = readModules(library)
  const sections = [...reach(read)]
    .map(([source, statements]) => {
      const name = relative(read.dist, source.fileName)
        .replaceAll("\\", "/")
        .replace(/\.d\.ts$/, "")
      const head = [...importsOf(source), ...handedOn(source)].toSorted().join("\n")
      const text = [head, ...signatures([...statements])].filter((part) => part !== "").join("\n\n")
      return { name, text: `## ${name}\n\n\`\`\`ts\n${text}\n\`\`\`\n` }
    })
    .toSorted(byName)
    .map(({ text }) => text)
  const title = `# The public types of ${library.manifest.name}\n\nWritten by \`pnpm api\`: not by hand.\n`
  const { printed, status, stdout } = tool("oxfmt", ["--stdin-filepath", "api.md"], {
    input: [title, ...sections].join("\n"),
  })
  if (status !== 0) throw new Error(printed)
  return stdout
}

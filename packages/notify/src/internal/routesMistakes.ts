/** All mistakes of a routes document, in words and with their positions. No reason contains a value, which may be a secret. */
import { toSingleLine } from "@vigil/core-http/PlainText"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type * as SchemaIssue from "effect/SchemaIssue"
import type { Mistake } from "../RoutesError.js"
import type { YamlDocument } from "./yamlDocument.js"

/** The value of a field, or `undefined`. */
const fieldOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

interface PathIssue {
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
const describe = (
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

const entriesOf = (value: unknown): ReadonlyArray<readonly [number, unknown]> =>
  Array.isArray(value) ? [...value.entries()] : []

/** Mistakes between fields, which a schema of fields cannot find. They are found even if other fields are invalid. */
const betweenFields = (document: unknown): ReadonlyArray<PathIssue> => {
  const sinks = fieldOf(document, "sinks")
  const names = typeof sinks === "object" && sinks !== null ? Object.keys(sinks) : []
  return entriesOf(fieldOf(document, "routes")).flatMap(([index, route]) => {
    const path = ["routes", index]
    const to = fieldOf(route, "to")
    const targets = typeof to === "string" ? ([[undefined, to]] as const) : entriesOf(to)
    const quiet = fieldOf(route, "quietHours")
    const isEmpty = typeof fieldOf(quiet, "from") === "string" && fieldOf(quiet, "from") === fieldOf(quiet, "to")
    return [
      ...targets
        .filter(([, name]) => typeof name === "string" && !names.includes(name))
        .map(([item]) => ({
          path: [...path, "to", ...(item === undefined ? [] : [item])],
          reason:
            names.length === 0 ? "is not the name of a sink" : `is not the name of a sink: use ${names.join(" or ")}`,
        })),
      ...(isEmpty ? [{ path: [...path, "quietHours", "to"], reason: "equals from" }] : []),
    ]
  })
}

/** Lists all mistakes in the order of the document. */
export const mistakesOf = (
  { position, value }: YamlDocument,
  error: Option.Option<Schema.SchemaError>,
): ReadonlyArray<Mistake> =>
  [...Option.match(error, { onNone: () => [], onSome: ({ issue }) => describe(issue, value) }), ...betweenFields(value)]
    .map(({ path, reason }) => ({
      ...position(path),
      path: toSingleLine(path.map(String).join("."), 200),
      reason: toSingleLine(reason, 500),
    }))
    .toSorted((one, other) => one.line - other.line || one.column - other.column)

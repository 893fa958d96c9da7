/** Reads a routes document in YAML or JSON, and finds its mistakes with their positions. No reason contains a value, which may be a secret. */
import { toSingleLine } from "@vigil/core-http/PlainText"
import * as Array from "effect/Array"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { type Document, isAlias, isMap, isNode, isSeq, LineCounter, parseDocument } from "yaml"
import type { Mistake } from "../RoutesError.js"
import * as routesSchema from "./routesSchema.js"

/** Longer texts are refused: comparing the keys of a map takes quadratic time. */
const maxLength = 100_000

/** Limits the size of a document whose aliases are expanded. */
const maxAliases = 100

/** The first errors of the YAML are the ones to correct first. */
const maxErrors = 10

type Path = ReadonlyArray<PropertyKey>

/** Where a value starts, or its key, or else the closest value around it. */
const offsetOf = (document: Document, path: Path): number => {
  let node: unknown = document.contents
  let offset = 0
  const move = (to: unknown) => {
    offset = isNode(to) ? (to.range?.[0] ?? offset) : offset
  }
  move(node)
  for (const part of path) {
    const parent: unknown = isAlias(node) ? node.resolve(document) : node
    const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === String(part)) : undefined
    node = isSeq(parent) ? parent.items[Number(part)] : pair?.value
    move(pair?.key ?? node)
  }
  return offset
}

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1({
  checkHook: ({ filter }) => routesSchema.mismatch(filter.annotations?.["title"]),
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "is missing"
    if (issue._tag === "UnexpectedKey")
      return SchemaAST.isObjects(issue.ast) && issue.ast.propertySignatures.length > 0
        ? `is unknown: use ${routesSchema.either(issue.ast.propertySignatures.map(({ name }) => String(name)))}`
        : `is not ${routesSchema.sinkNameTitle}`
    if (issue._tag === "InvalidValue") return String(issue.annotations?.message)
    const ast = "ast" in issue ? issue.ast : SchemaAST.unknown
    const kind = SchemaAST.isArrays(ast) ? "a list" : "a map of names to values"
    return `is not ${SchemaAST.resolveTitle(ast) ?? kind}`
  },
})

interface PathIssue {
  readonly path: Path
  readonly reason: string
}

const hasNames = Schema.is(
  Schema.Struct({
    sinks: Schema.Record(Schema.String, Schema.Unknown),
    routes: Schema.Array(Schema.Struct({ to: Schema.Union([Schema.String, Schema.Array(Schema.String)]) })),
  }),
)

/** The names that no sink has. They are found even if other fields are invalid. */
const unknownSinks = (document: unknown): ReadonlyArray<PathIssue> => {
  if (!hasNames(document)) return []
  const names = Object.keys(document.sinks)
  const advice = names.length === 0 ? "" : `: use ${routesSchema.either(names)}`
  return document.routes.flatMap(({ to }, index) =>
    Array.ensure(to).flatMap((name, item) => {
      const path = ["routes", index, "to", ...(typeof to === "string" ? [] : [item])]
      return names.includes(name) ? [] : [{ path, reason: `is not the name of a sink${advice}` }]
    }),
  )
}

const decode = Schema.decodeUnknownResult(routesSchema.Document, { errors: "all", onExcessProperty: "error" })

/** Decodes a text, or lists all mistakes in the order of the document. */
export const parse = (text: string): Result.Result<typeof routesSchema.Document.Type, ReadonlyArray<Mistake>> => {
  const start = { line: 1, column: 1, path: "" }
  if (text.length > maxLength) return Result.fail([{ ...start, reason: `is longer than ${maxLength} characters` }])
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, stringKeys: true, logLevel: "error" })
  if (document.errors.length > 0) {
    // The code, because a message may quote the document.
    const toMistake = ({ code, linePos: [at] = [{ line: 1, col: 1 }] }: (typeof document.errors)[number]): Mistake => ({
      line: at.line,
      column: at.col,
      path: "",
      reason: `is not YAML: ${code.toLowerCase().replaceAll("_", " ")}`,
    })
    return Result.fail(document.errors.slice(0, maxErrors).map(toMistake))
  }
  return Result.try({
    try: (): unknown => document.toJS({ maxAliasCount: maxAliases }),
    catch: () => [{ ...start, reason: "has an alias that is undefined, or that is repeated too often" }],
  }).pipe(
    Result.flatMap((value) => {
      const routes = decode(value)
      const issues = Option.match(Result.getFailure(routes), {
        onNone: () => [],
        onSome: ({ issue }) => formatIssues(issue).issues,
      })
      const toMistake = ({ path, reason }: PathIssue): Mistake => {
        const { col, line } = lineCounter.linePos(offsetOf(document, path))
        return {
          line,
          column: col,
          path: toSingleLine(path.map(String).join("."), 200),
          reason: toSingleLine(reason, 500),
        }
      }
      const mistakes = [
        ...issues.map(({ message, path = [] }) => ({
          path: path.map((part) => (typeof part === "object" ? part.key : part)),
          reason: message,
        })),
        ...unknownSinks(value),
      ]
        .map(toMistake)
        .toSorted((one, other) => one.line - other.line || one.column - other.column)
      return mistakes.length === 0 ? Result.mapError(routes, () => []) : Result.fail(mistakes)
    }),
  )
}

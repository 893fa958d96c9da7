/** Reads a routes document in YAML or JSON, and finds its mistakes with their positions. None contains a value or an unknown key, which may be a secret. */
import { toSingleLine } from "@vigil/core-http/PlainText"
import { enumerate } from "@vigil/health-text/Sentence"
import * as Array from "effect/Array"
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

/** Where a value starts, or its key, or else the closest value around it. */
const offsetOf = (document: Document, path: ReadonlyArray<PropertyKey>): number => {
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

/** A reason about a key, which may be a secret: the path of the mistake ends before it. */
const hasKey = /^has an? (?:unknown )?key/

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1({
  checkHook: ({ filter: { annotations } }) =>
    annotations?.title === undefined ? undefined : `is not ${annotations.title}`,
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "is missing"
    if (issue._tag === "UnexpectedKey")
      return SchemaAST.isObjects(issue.ast) && issue.ast.propertySignatures.length > 0
        ? `has an unknown key: use ${enumerate(
            issue.ast.propertySignatures.map(({ name }) => String(name)),
            "or",
          )}`
        : `has a key that is not ${routesSchema.sinkNameTitle}`
    if (issue._tag === "InvalidValue") return String(issue.annotations?.message)
    const ast = "ast" in issue ? issue.ast : SchemaAST.unknown
    const kind = SchemaAST.isArrays(ast) ? "a list" : "a map of names to values"
    return `is not ${SchemaAST.resolveTitle(ast) ?? kind}`
  },
})

interface Issue {
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
  readonly message: string
}

const hasNames = Schema.is(
  Schema.Struct({
    sinks: Schema.Record(Schema.String, Schema.Unknown),
    routes: Schema.Array(Schema.Struct({ to: Schema.Union([Schema.String, Schema.Array(Schema.String)]) })),
  }),
)

/** The names that no sink has. They are found even if other fields are invalid. */
const unknownSinks = (document: unknown): ReadonlyArray<Issue> => {
  if (!hasNames(document)) return []
  const names = Object.keys(document.sinks).filter((name) => routesSchema.sinkNamePattern.test(name))
  const advice = names.length === 0 ? "" : `: use ${enumerate(names, "or")}`
  return document.routes.flatMap(({ to }, index) =>
    Array.ensure(to).flatMap((name, item) => {
      const path = ["routes", index, "to", ...(typeof to === "string" ? [] : [item])]
      return names.includes(name) ? [] : [{ path, message: `is not the name of a sink${advice}` }]
    }),
  )
}

const decode = Schema.decodeUnknownResult(routesSchema.Document, { errors: "all", onExcessProperty: "error" })

const mistake = (reason: string, { col, line } = { line: 1, col: 1 }, path = ""): Mistake => ({
  line,
  column: col,
  path: toSingleLine(path, 200),
  reason: toSingleLine(reason, 500),
})

/** Decodes a text, or lists all mistakes in the order of the document. */
export const parse = (text: string): Result.Result<typeof routesSchema.Document.Type, ReadonlyArray<Mistake>> => {
  if (text.length > maxLength) return Result.fail([mistake(`is longer than ${maxLength} characters`)])
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, stringKeys: true, logLevel: "error" })
  // The code, because a message may quote the document.
  const errors = document.errors.map(({ code, linePos }) =>
    mistake(`is not YAML: ${code.toLowerCase().replaceAll("_", " ")}`, linePos?.[0]),
  )
  if (errors.length > 0) return Result.fail(errors.slice(0, maxErrors))
  const value = Result.try((): unknown => document.toJS({ maxAliasCount: maxAliases }))
  if (Result.isFailure(value))
    return Result.fail([mistake("has an alias that is undefined, or that is repeated too often")])

  const routes = decode(value.success)
  const issues: ReadonlyArray<Issue> = Result.isFailure(routes) ? formatIssues(routes.failure.issue).issues : []
  const mistakes = [...issues, ...unknownSinks(value.success)].map(({ message, path = [] }) => {
    const keys = path.map((part) => (typeof part === "object" ? part.key : part))
    const shown = hasKey.test(message) ? keys.slice(0, -1) : keys
    return mistake(message, lineCounter.linePos(offsetOf(document, keys)), shown.map(String).join("."))
  })
  return Result.isSuccess(routes) && mistakes.length === 0
    ? Result.succeed(routes.success)
    : Result.fail(mistakes.toSorted((one, other) => one.line - other.line || one.column - other.column))
}

/** Checks values against a schema. Errors contain the deepest path and the problem, never a value. */
import { constFalse } from "effect/Function"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type * as SchemaIssue from "effect/SchemaIssue"
import { InvalidField } from "../InvalidField.js"

interface DeepIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly problem: string
}

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`.replace("a object", "an object")

/** A noun phrase, such as `an object` or `a string`. The `null` of a nullable field does not count. */
const expected = (ast: SchemaAST.AST): string => {
  if (SchemaAST.isUnion(ast))
    return ast.types
      .filter((member) => !SchemaAST.isNull(member))
      .map(expected)
      .join(" or ")
  if (SchemaAST.isObjects(ast)) return "an object"
  return SchemaAST.isArrays(ast) ? "an array" : `a ${ast._tag.toLowerCase()}`
}

/** The schemas of this package have no other kinds of issues. */
const flatten = (issue: SchemaIssue.Issue, path: DeepIssue["path"]): ReadonlyArray<DeepIssue> => {
  if (issue._tag === "Pointer") return flatten(issue.issue, [...path, ...issue.path])
  if (issue._tag === "Filter") return [{ path, problem: `must be ${String(issue.filter.annotations?.expected)}` }]
  // A union has no issues if no member has the type of the input.
  if ("issues" in issue && issue.issues.length > 0) return issue.issues.flatMap((inner) => flatten(inner, path))
  if ((issue._tag !== "InvalidType" && issue._tag !== "AnyOf") || issue.input === undefined)
    return [{ path, problem: "is missing" }]
  // The `null` of a nullable field does not count.
  if (SchemaAST.isNull(issue.ast)) return []
  return [{ path, problem: `must be ${expected(issue.ast)}, not ${kindOf(issue.input)}` }]
}

/** The first issue with the longest path. */
const deepest = (issue: SchemaIssue.Issue): DeepIssue =>
  flatten(issue, []).reduce((best, found) => (found.path.length > best.path.length ? found : best))

const render = (path: DeepIssue["path"]): string =>
  path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "")

/**
 * Makes a decoder that returns the input itself. The schema must not transform values. It decides only what `accepts` rejects, because it takes
 * several times as long.
 */
export const check = <A, I>(
  schema: Schema.Codec<A, I>,
  accepts: (input: unknown) => boolean = constFalse,
): ((input: unknown) => Result.Result<A, InvalidField>) => {
  const decode = Schema.decodeUnknownResult(schema, { reportInput: true })
  return (input) => {
    const decoded = accepts(input) ? undefined : decode(input)
    if (decoded === undefined || Result.isSuccess(decoded)) return Result.succeed(input as A)
    const { path, problem } = deepest(decoded.failure.issue)
    return Result.fail(new InvalidField({ path: render(path), problem }))
  }
}

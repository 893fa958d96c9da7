/** Checks values against a schema. Errors contain the deepest path and the reason, never a value. */
import { constFalse } from "effect/Function"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type * as SchemaIssue from "effect/SchemaIssue"
import { InvalidField } from "../InvalidField.js"

interface DeepIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly reason: string
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

const isNullMember = (issue: SchemaIssue.Issue) => issue._tag === "InvalidType" && SchemaAST.isNull(issue.ast)

const mismatch = ({ ast, input }: SchemaIssue.InvalidType | SchemaIssue.AnyOf, path: DeepIssue["path"]): DeepIssue => ({
  path,
  reason: `must be ${expected(ast)}, not ${kindOf(input)}`,
})

/** The first issue with the longest path. */
const deepestOf = (issues: ReadonlyArray<SchemaIssue.Issue>, path: DeepIssue["path"]): DeepIssue =>
  issues
    .filter((issue) => !isNullMember(issue))
    .map((issue) => deepest(issue, path))
    .reduce((best, found) => (found.path.length > best.path.length ? found : best))

/** The schemas of this package have no other kinds of issues. */
const deepest = (issue: SchemaIssue.Issue, path: DeepIssue["path"]): DeepIssue => {
  switch (issue._tag) {
    case "Pointer":
      return deepest(issue.issue, path.concat(issue.path))
    case "Composite":
      return deepestOf(issue.issues, path)
    // No member has the type of the input if there are no issues.
    case "AnyOf":
      return issue.issues.length === 0 ? mismatch(issue, path) : deepestOf(issue.issues, path)
    case "Filter":
      return { path, reason: `must be ${String(issue.filter.annotations?.expected)}` }
    case "InvalidType":
      return mismatch(issue, path)
    default:
      return { path, reason: "is missing" }
  }
}

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
  return (input) =>
    accepts(input)
      ? Result.succeed(input as A)
      : Result.mapBoth(decode(input), {
          onFailure: (error) => {
            const { path, reason } = deepest(error.issue, [])
            return new InvalidField({ path: render(path), reason })
          },
          onSuccess: () => input as A,
        })
}

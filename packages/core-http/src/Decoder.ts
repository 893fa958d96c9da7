/** Decodes the JSON of responses, and reports where it is invalid without its values. */
import * as Effect from "effect/Effect"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

/**
 * Where JSON is invalid, and why, without values. The client removes secrets from both fields and cuts them to 200 characters.
 * @category models @since 0.1.0
 */
export interface Issue {
  /** The path, joined by dots; empty for the whole value. The keys of a map are part of it. */
  readonly path: string
  /** What is wrong there, such as `is missing`. */
  readonly reason: string
}

/**
 * Decodes parsed JSON, or fails with the issue. The JSON of an empty success response is `undefined`. Timeouts do not cover decoding.
 * @category models @since 0.1.0
 */
export type Decoder<A> = (json: unknown) => Effect.Effect<A, Issue>

/** Ignores the body of a success response, which may be anything. @category constructors @since 0.1.0 */
export const ignore: Decoder<void> = () => Effect.void

interface DeepIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly reason: string
}

const mismatch = (ast: SchemaAST.AST | SchemaAST.Annotated): DeepIssue => ({
  path: [],
  reason: `does not match ${ast}`,
})

/** Descriptions of an AST contain no values. Messages of the formatters do. */
const findIssue = (issue: ParseResult.ParseIssue): DeepIssue => {
  switch (issue._tag) {
    case "Missing":
      return { path: [], reason: "is missing" }
    case "Unexpected":
      return { path: [], reason: "is unexpected" }
    case "Forbidden":
    case "Type":
      return mismatch(issue.ast)
    case "Pointer": {
      const { path, reason } = findIssue(issue.issue)
      return { path: [issue.path, path].flat(), reason }
    }
    case "Composite": {
      const isUnion = issue.ast._tag === "Union"
      // The member that matches furthest is probably the intended one. If none matches at all, the union describes what is expected.
      const deepest = [issue.issues]
        .flat()
        .map(findIssue)
        .reduce((best, next) => (isUnion && next.path.length > best.path.length ? next : best))
      return isUnion && deepest.path.length === 0 ? mismatch(issue.ast) : deepest
    }
    case "Refinement":
    case "Transformation":
      // The path of a filter is safe. Its text may contain the value.
      return issue.kind === "From"
        ? findIssue(issue.issue)
        : { ...mismatch(issue.ast), path: findIssue(issue.issue).path }
  }
}

/** Converts a `ParseError` to its first issue, at the deepest path, without values. @category conversions @since 0.1.0 */
export const toIssue = ({ issue }: ParseResult.ParseError): Issue => {
  const { path, reason } = findIssue(issue)
  return { path: path.map(String).join("."), reason }
}

/** Makes a decoder of a schema, which may be asynchronous. Its issues contain no values. @category constructors @since 0.1.0 */
export const fromSchema = <A, I>(schema: Schema.Schema<A, I>): ((json: unknown) => Effect.Effect<A, Issue>) => {
  const decode = Schema.decodeUnknown(schema)
  return (json) => Effect.mapError(decode(json), toIssue)
}

/** How the JSON of a response is decoded, and how errors name an invalid place without its value. */
import * as Effect from "effect/Effect"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

/** Where JSON departs from what was expected, and how. Holds no value. The keys of a map are part of the path as the service sent
 * them: the client puts the path and the reason on one line, removes its secrets, and cuts each to 200 characters.
 * @category models
 * @since 0.1.0 */
export interface Issue {
  /** The place, its parts joined by dots; empty for the whole. */
  readonly path: string
  /** What is wrong there, in words that follow the place. */
  readonly reason: string
}

/** Decodes parsed JSON, or fails with the invalid place. It may return an `Either`. The JSON of an empty body, where that is a success,
 * is `undefined`. The timeouts of the client do not cover decoding.
 * @category models
 * @since 0.1.0 */
export type Decoder<A> = (json: unknown) => Effect.Effect<A, Issue>

/** Accepts any body and ignores it: for requests whose status code says enough.
 * @category constructors
 * @since 0.1.0 */
export const nothing: Decoder<void> = () => Effect.void

/** An invalid place, outermost part of its path first. */
interface Place {
  readonly path: ReadonlyArray<PropertyKey>
  readonly reason: string
}

const mismatch = (ast: SchemaAST.AST | SchemaAST.Annotated): Place => ({ path: [], reason: `does not match ${ast}` })

/** The first invalid place of an issue, as deep as it goes. Descriptions of an AST contain no values. Messages of the formatters do. */
const placeOf = (issue: ParseResult.ParseIssue): Place => {
  switch (issue._tag) {
    case "Missing":
      return { path: [], reason: "is missing" }
    case "Unexpected":
      return { path: [], reason: "is unexpected" }
    case "Forbidden":
    case "Type":
      return mismatch(issue.ast)
    case "Pointer": {
      const { path, reason } = placeOf(issue.issue)
      return { path: [issue.path, path].flat(), reason }
    }
    case "Composite": {
      const isUnion = issue.ast._tag === "Union"
      // The member that matches furthest is the one that was meant. If none matches at all, the union says what is expected.
      const place = [issue.issues]
        .flat()
        .map(placeOf)
        .reduce((best, place) => (isUnion && place.path.length > best.path.length ? place : best))
      return isUnion && place.path.length === 0 ? mismatch(issue.ast) : place
    }
    case "Refinement":
    case "Transformation":
      // A filter may name the place. Its text may contain the value.
      return issue.kind === "From" ? placeOf(issue.issue) : { ...mismatch(issue.ast), path: placeOf(issue.issue).path }
  }
}

/** The first invalid place of a `ParseError`, as deep as it goes. Contains no value.
 * @category conversions
 * @since 0.1.0 */
export const issueOf = ({ issue }: ParseResult.ParseError): Issue => {
  const { path, reason } = placeOf(issue)
  return { path: path.map(String).join("."), reason }
}

/** The decoder of a schema, which may be asynchronous. Its issues name the place and the type that the schema expects there, and
 * contain no value.
 * @category constructors
 * @since 0.1.0 */
export const fromSchema = <A, I>(schema: Schema.Schema<A, I>): ((json: unknown) => Effect.Effect<A, Issue>) => {
  const decode = Schema.decodeUnknown(schema)
  return (json) => Effect.mapError(decode(json), issueOf)
}

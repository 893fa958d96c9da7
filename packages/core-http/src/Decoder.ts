/** What an answer's JSON must be, and how a departure from it is told without telling any value. */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as PlainText from "./PlainText.js"

/**
 * Where JSON departs from what was expected, and how. Holds no value.
 *
 * @category models
 * @since 0.1.0
 */
export interface Issue {
  /** The place, its parts joined by dots; empty for the whole. */
  readonly path: string
  /** What is wrong there, in words that follow the place. */
  readonly reason: string
}

/**
 * Makes a value of parsed JSON, or says what is wrong with it. An answer without a body, where that is a success, is
 * `undefined`.
 *
 * @category models
 * @since 0.1.0
 */
export type Decoder<A> = (json: unknown) => Either.Either<A, Issue>

/**
 * Accepts any answer, and keeps nothing of it: for requests that are answered with their status.
 *
 * @category constructors
 * @since 0.1.0
 */
export const nothing: Decoder<void> = () => Either.void

const issue = (error: ParseResult.ParseError): Issue => {
  // The formatter's messages hold values, its paths do not.
  const [first] = ParseResult.ArrayFormatter.formatErrorSync(error)
  // A path may go through keys of a map, which are as hostile as any text that was sent.
  return {
    path: PlainText.line(first?.path.map(String).join(".") ?? "", 200),
    reason: "is missing or has the wrong type",
  }
}

/**
 * The decoder of a schema.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromSchema = <A, I>(schema: Schema.Schema<A, I>): ((json: unknown) => Either.Either<A, Issue>) => {
  const decode = Schema.decodeUnknownEither(schema)
  return (json) => Either.mapLeft(decode(json), issue)
}

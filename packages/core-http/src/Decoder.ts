/** What an answer's JSON must be, and how a departure from it is told without telling any value. */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

/**
 * Where JSON departs from what was expected, and how. Holds no value.
 *
 * @category models
 * @since 0.1.0
 */
export interface Issue {
  readonly path: string
  readonly reason: string
}

/**
 * Makes a value of parsed JSON, or says what is wrong with it.
 *
 * @category models
 * @since 0.1.0
 */
export type Decoder<A> = (json: unknown) => Either.Either<A, Issue>

const issue = (error: ParseResult.ParseError): Issue => {
  // The formatter's messages hold values, its paths do not.
  const [first] = ParseResult.ArrayFormatter.formatErrorSync(error)
  return { path: first?.path.map(String).join(".") ?? "", reason: "is missing or has the wrong type" }
}

/**
 * The decoder of a schema.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromSchema = <A, I>(schema: Schema.Schema<A, I>): Decoder<A> => {
  const decode = Schema.decodeUnknownEither(schema)
  return (json) => Either.mapLeft(decode(json), issue)
}

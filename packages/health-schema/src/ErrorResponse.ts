/** The body of an answer that is not 200 (record `ErrorResponse`), in the two forms that services send. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { fromParseError, type Issue } from "./internal/issue.js"
import { optional, record } from "./internal/record.js"

const details = optional(Schema.Unknown)

/**
 * The document's form. `details` is text there, and a list elsewhere (field notes, "Errors"): it is kept as it came.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Flat = record("ErrorResponse", {
  code: optional(Schema.String),
  message: optional(Schema.String),
  details,
})

/**
 * The form of the gateway in front of the service (field notes, "Errors"): the same under `error`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Nested = record("NestedErrorResponse", { error: Flat })

/**
 * What went wrong, whichever form it was sent in.
 *
 * @category models
 * @since 0.1.0
 */
export interface ErrorResponse extends Schema.Schema.Type<typeof Flat> {}

/**
 * Either form, read into one.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ErrorResponse: Schema.Schema<ErrorResponse, typeof Flat.Encoded | typeof Nested.Encoded> =
  Schema.transform(Schema.Union(Nested, Flat), Schema.typeSchema(Flat), {
    strict: true,
    decode: (body) => (Schema.is(Nested)(body) ? body.error : body),
    encode: (body) => body,
  })

/**
 * Reads the parsed JSON of an error body, in either form.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode: (input: unknown) => Either.Either<ErrorResponse, Issue> = (input) =>
  Either.mapLeft(Schema.decodeUnknownEither(ErrorResponse)(input), fromParseError)

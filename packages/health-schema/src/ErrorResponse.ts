/** The body of an answer that is not 200 (record `ErrorResponse`), in the two forms that services send. */
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { InvalidField } from "./InvalidField.js"
import { check } from "./internal/issue.js"
import { optional, record } from "./internal/record.js"

/**
 * The document's form. `details` is text there, and a list elsewhere (field notes, "Errors"): it is kept as it came.
 * @category schemas
 * @since 0.1.0
 */
export const ErrorResponse = record("ErrorResponse", {
  code: optional(Schema.String),
  message: optional(Schema.String),
  details: optional(Schema.Unknown),
})

/**
 * @category models
 * @since 0.1.0
 */
export interface ErrorResponse extends Schema.Schema.Type<typeof ErrorResponse> {}

/**
 * The form of the gateway in front of the service (field notes, "Errors"): the same under `error`.
 * @category schemas
 * @since 0.1.0
 */
export const Nested = record("NestedErrorResponse", { error: ErrorResponse })

const flat = check(ErrorResponse)

/**
 * Reads the parsed JSON of an error body: what stands under `error` when that is a record, else the body itself. What
 * comes back is that part of the input.
 * @category decoding
 * @since 0.1.0
 */
export const decode = (input: unknown): Either.Either<ErrorResponse, InvalidField> =>
  Predicate.isRecord(input) && Object.hasOwn(input, "error") && Predicate.isRecord(input["error"])
    ? Either.mapLeft(flat(input["error"]), ({ path, reason }) => new InvalidField({ path: `error.${path}`, reason }))
    : flat(input)

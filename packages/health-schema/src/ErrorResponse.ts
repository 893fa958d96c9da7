/** The bodies of error responses (record `ErrorResponse`), in the two forms that services send. */
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { InvalidField } from "./InvalidField.js"
import { check } from "./internal/issue.js"
import { optional, record, text } from "./internal/record.js"

/**
 * The form of the document. `details` is any JSON, because some services send a list (field notes, "Errors").
 * @category schemas @since 0.1.0
 */
export const ErrorResponse = record("ErrorResponse", { code: text, message: text, details: optional(Schema.Unknown) })

/** @category models @since 0.1.0 */
export interface ErrorResponse extends Schema.Schema.Type<typeof ErrorResponse> {}

/** The form of gateways (field notes, "Errors"): the same fields under `error`. @category schemas @since 0.1.0 */
export const Nested = record("NestedErrorResponse", { error: ErrorResponse })

const flat = check(ErrorResponse)

/** Decodes the parsed JSON of an error body in either form. The result is a part of the input. @category decoding @since 0.1.0 */
export const decode = (input: unknown): Either.Either<ErrorResponse, InvalidField> =>
  Predicate.isRecord(input) && Object.hasOwn(input, "error") && Predicate.isRecord(input["error"])
    ? Either.mapLeft(flat(input["error"]), ({ path, reason }) => new InvalidField({ path: `error.${path}`, reason }))
    : flat(input)

/** The bodies of error responses (record `ErrorResponse`), in the two forms that services send. */
import * as Schema from "effect/Schema"
import { record, text } from "./internal/record.js"

/** The documented form. `details` is any JSON, because some services send a list. @category schemas @since 0.1.0 */
export const ErrorResponse = record("ErrorResponse", {
  code: text,
  message: text,
  details: Schema.optionalKey(Schema.Unknown),
})

/** @category models @since 0.1.0 */
export interface ErrorResponse extends Schema.Schema.Type<typeof ErrorResponse> {}

/** The form of gateways: the same fields under `error`. @category schemas @since 0.1.0 */
export const Nested = record("NestedErrorResponse", { error: ErrorResponse })

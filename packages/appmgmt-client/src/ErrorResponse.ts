/** The bodies that the service sends with an answer that says no. */
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

/**
 * The service's own words, whichever form they were sent in.
 *
 * @category models
 * @since 0.1.0
 */
export const ErrorResponse = Schema.Struct({
  code: Schema.optional(Schema.String),
  message: Schema.optional(Schema.String),
})

/**
 * @category models
 * @since 0.1.0
 */
export interface ErrorResponse extends Schema.Schema.Type<typeof ErrorResponse> {}

const field = (body: unknown, name: string): unknown =>
  Predicate.isRecord(body) && name in body ? body[name] : undefined

const text = (value: unknown): Option.Option<string> =>
  typeof value === "string"
    ? Option.some(value)
    : typeof value === "number"
      ? Option.some(String(value))
      : Option.none()

/**
 * Reads every form that was seen (field notes, "App management"): flat and nested, the code a text or an integer, either
 * of the two alone.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FromBody: Schema.Schema<ErrorResponse, unknown> = Schema.transform(Schema.Unknown, ErrorResponse, {
  strict: true,
  decode: (body) => {
    const inner = field(body, "error") ?? body
    const code = text(field(inner, "code"))
    const message = text(field(inner, "message"))
    return {
      ...(Option.isSome(code) ? { code: code.value } : {}),
      ...(Option.isSome(message) ? { message: message.value } : {}),
    }
  },
  encode: (body) => body,
})

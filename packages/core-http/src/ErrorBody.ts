/** What a service says in the body of an answer that says no. */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

/**
 * The service's own words.
 *
 * @category models
 * @since 0.1.0
 */
export const ErrorBody = Schema.Struct({
  code: Schema.optional(Schema.String),
  message: Schema.optional(Schema.String),
})

/**
 * @category models
 * @since 0.1.0
 */
export interface ErrorBody extends Schema.Schema.Type<typeof ErrorBody> {}

const field = (body: unknown, name: string): unknown =>
  Predicate.isRecord(body) && Object.hasOwn(body, name) ? body[name] : undefined

const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined

/**
 * Reads every form that services of this kind were seen to send (field notes, "Errors"): `code` and `message` flat, or
 * nested under `error`; the code a text or a number; either of the two alone. Another body has no words, and is no
 * failure.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FromBody: Schema.Schema<ErrorBody, unknown> = Schema.transform(Schema.Unknown, ErrorBody, {
  strict: true,
  decode: (body) => {
    const nested = field(body, "error")
    const inner = Predicate.isRecord(nested) ? nested : body
    return { code: text(field(inner, "code")), message: text(field(inner, "message")) }
  },
  encode: (body) => body,
})

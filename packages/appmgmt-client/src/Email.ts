/** The e-mail address of a user. */
import * as Schema from "effect/Schema"

/** Something before and after an `@`; no control characters, half characters, or white space at the ends. */
const address = /^(?!\s)[^\p{Cc}\p{Cs}]+@[^\p{Cc}\p{Cs}@]+(?<!\s)$/u

/**
 * An e-mail address. What mail servers accept is theirs to say: any text with something before and after its last `@` is one, short of
 * control characters and of white space at its ends. It becomes one segment of a path, whatever it holds.
 * @category schemas
 * @since 0.1.0
 */
export const Email = Schema.String.pipe(
  Schema.pattern(address),
  Schema.brand("@vigil/appmgmt-client/Email", { identifier: "Email" }),
)

/**
 * An e-mail address that was checked.
 * @category models
 * @since 0.1.0
 */
export type Email = typeof Email.Type

/**
 * Makes an address of a text that is known to be one; throws a `ParseError` on any other.
 * @category constructors
 * @since 0.1.0
 */
export const make = (text: string): Email => Email.make(text)

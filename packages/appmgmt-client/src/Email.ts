/** The email address of a user. */
import * as Schema from "effect/Schema"

const address = /^(?!\s)[^\p{Cc}\p{Cs}]+@[^\p{Cc}\p{Cs}@]+(?<!\s)$/u

/**
 * An email address: text before and after its last `@`, without control characters, unpaired surrogates, or outer white space.
 * @category schemas @since 0.1.0
 */
export const Email = Schema.String.pipe(
  Schema.check(Schema.isPattern(address, { expected: "an email address" })),
  Schema.annotate({ identifier: "Email" }),
  Schema.brand("@vigil/appmgmt-client/Email"),
)

/** A valid email address. @category models @since 0.1.0 */
export type Email = typeof Email.Type

/** Makes an email address from trusted text. Throws if it is invalid. @category constructors @since 0.1.0 */
export const make: (text: string) => Email = /* @__PURE__ */ Schema.decodeSync(Email)

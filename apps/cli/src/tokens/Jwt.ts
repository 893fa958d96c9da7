/** What a JSON Web Token says about itself. Its signature is not checked: that is the task of the service. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

export interface Claims {
  /** `exp`. */
  readonly expiresAt: Option.Option<DateTime.Utc>
  /** `aud`: the services that the token is for. */
  readonly audience: ReadonlyArray<string>
  /** `tid`: the tenant of Microsoft Entra. */
  readonly tenant: string | undefined
}

const parseJson = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))

/** A claim that fits in a line. */
const isText = (value: unknown): value is string => typeof value === "string" && /^[\x21-\x7e]{1,200}$/.test(value)

/** The claims of a token. All are empty if it is not a JWT. */
export const claims = (token: Redacted.Redacted): Claims => {
  const [, payload = "", signature] = Redacted.value(token).split(".")
  const value = signature === undefined ? Option.none() : parseJson(Buffer.from(payload, "base64url").toString())
  const { aud, exp, tid }: Readonly<Record<string, unknown>> =
    Option.isSome(value) && Predicate.isObject(value.value) ? value.value : {}
  return {
    expiresAt: typeof exp === "number" ? DateTime.make(exp * 1000) : Option.none(),
    audience: [aud].flat().filter(isText),
    tenant: isText(tid) ? tid : undefined,
  }
}

/** Reads responses with a token (RFC 6749, sections 4.2.2 and 5). */
import { isBearerToken } from "@vigil/core-http/Credential"
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

const text = (expected: string, isValid: (text: string) => boolean) =>
  Schema.String.check(Schema.makeFilter(isValid, { expected }))

/** Some servers send `null` for a missing field. */
const optional = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const isPositive = (value: number | string): boolean =>
  Number(value) > 0 && Number(value) < Infinity && (typeof value === "number" || /^\d+$/.test(value))

/** Some servers send a text. */
const Seconds = Schema.Union([Schema.Finite, Schema.String]).check(
  Schema.makeFilter(isPositive, { expected: "a positive number of seconds" }),
)

/** A response with a token. Unknown fields are ignored. */
export const TokenResponse = Schema.Struct({
  access_token: text("a bearer token (RFC 6750)", isBearerToken),
  token_type: text("Bearer", (type) => type.toLowerCase() === "bearer"),
  expires_in: optional(Seconds),
  scope: optional(Schema.Unknown),
})

/** The token of a response. */
export const toToken = ({ access_token, expires_in, scope }: typeof TokenResponse.Type) => ({
  secret: Redacted.make(access_token),
  scope: isText(scope) ? scope.split(/ +/).filter(isText) : undefined,
  lifetime: expires_in === null || expires_in === undefined ? undefined : Duration.seconds(Number(expires_in)),
})

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/** Reads the responses of a token endpoint (RFC 6749, section 5). */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { isBearerToken } from "../Credential.js"

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/** Some servers send a text. */
const toSeconds = (value: unknown): unknown =>
  typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value

const isLifetime = (seconds: unknown): seconds is number =>
  typeof seconds === "number" && seconds > 0 && Number.isFinite(seconds)

/** Some servers send `null` for a missing field. Issues contain no value. */
export const decode = (json: unknown) => {
  const invalid = (path: string, problem: string) => Effect.fail({ path, problem })
  const body = Predicate.isObject(json) ? json : {}
  const token = body["access_token"] ?? undefined
  if (token === undefined) return invalid("access_token", "is missing")
  if (!isText(token) || !isBearerToken(token)) return invalid("access_token", "is not a bearer token (RFC 6750)")
  const type = body["token_type"]
  if (!isText(type) || type.toLowerCase() !== "bearer") return invalid("token_type", "is not Bearer")
  const seconds = toSeconds(body["expires_in"] ?? undefined)
  if (seconds !== undefined && !isLifetime(seconds)) return invalid("expires_in", "is not a positive number of seconds")
  return Effect.succeed({
    accessToken: Redacted.make(token),
    scope: Option.map(Option.liftPredicate(body["scope"], isText), (scope) => scope.split(/ +/).filter(isText)),
    lifetime: Option.map(Option.fromNullishOr(seconds), Duration.seconds),
  })
}

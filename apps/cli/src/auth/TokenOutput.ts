/** What a token command prints: a token, or JSON with a token and its expiry. */
import * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Grant } from "./Grant.js"

export type Problem = "empty" | "malformed" | "expired"

const parseJson = Schema.decodeOption(Schema.parseJson())

/** A date-time without a zone is local time, as the Azure CLI prints it. */
const dateTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/i

const seconds = (value: unknown): number =>
  typeof value === "number" || (typeof value === "string" && /^\d+(\.\d+)?$/.test(value)) ? Number(value) : Number.NaN

/** Seconds since 1970, or a date-time. An unreadable expiry is unknown: the token is then used until the service rejects it. */
const instant = (value: unknown): Option.Option<DateTime.Utc> => {
  const [, date, time, zone = ""] = (typeof value === "string" && dateTime.exec(value)) || []
  return DateTime.make(date === undefined ? seconds(value) * 1000 : new Date(`${date}T${time}${zone}`))
}

const expiry = (fields: Readonly<Record<string, unknown>>, now: DateTime.Utc): Option.Option<DateTime.Utc> =>
  instant(fields["expires_on"]).pipe(
    // The Azure CLI prints it in local time, which occurs twice at the end of summer time.
    Option.orElse(() => instant(fields["expiresOn"])),
    Option.orElse(() => DateTime.make(DateTime.toEpochMillis(now) + seconds(fields["expires_in"]) * 1000)),
  )

/** Visible ASCII without spaces, so that a sentence is not taken for a token. */
const token = /^[\x21-\x7e]+$/

const names = ["accessToken", "access_token", "token"]

/** Reads the output of a program that ended at `now`. A JSON string is a token, too. */
export const parse = (stdout: string, now: DateTime.Utc): Either.Either<Grant, Problem> => {
  const text = stdout.trim()
  if (text === "") return Either.left("empty")
  const value = /^["[{]/.test(text) ? Option.getOrUndefined(parseJson(text)) : text
  const fields: Readonly<Record<string, unknown>> = Predicate.isRecord(value) ? value : { token: value }
  const found = names.map((name) => fields[name]).find((field) => field !== undefined && field !== null)
  if (typeof found !== "string" || !token.test(found)) return Either.left("malformed")
  const expiresAt = expiry(fields, now)
  return Option.exists(expiresAt, DateTime.lessThanOrEqualTo(now))
    ? Either.left("expired")
    : Either.right({ token: Redacted.make(found), expiresAt })
}

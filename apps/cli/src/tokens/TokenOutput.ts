/** What a token command prints: a token, or JSON with a token and its expiry. */
import type * as Credential from "@vigil/core-http/Credential"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as UndefinedOr from "effect/UndefinedOr"

export type Problem = "empty" | "malformed" | "expired" | "unknownExpiry"

const parseJson = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))

/** A date-time without a zone is local time, as the Azure CLI prints it. */
const dateTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/i

const seconds = (value: unknown): number =>
  typeof value === "number" || (typeof value === "string" && /^\d+(\.\d+)?$/.test(value)) ? Number(value) : Number.NaN

/** Seconds since 1970, or a date-time, in milliseconds. */
const instant = (value: unknown): number => {
  const [, date, time, zone = ""] = (typeof value === "string" && dateTime.exec(value)) || []
  return date === undefined ? seconds(value) * 1000 : Date.parse(`${date}T${time}${zone}`)
}

/** In milliseconds: `undefined` without an expiry, `NaN` if none is a time. */
const lifetimeOf = (fields: Readonly<Record<string, unknown>>, now: number): number | undefined => {
  const expiries = [
    [fields["expires_on"], (value: unknown) => instant(value) - now],
    // The Azure CLI prints it in local time, which occurs twice at the end of summer time.
    [fields["expiresOn"], (value: unknown) => instant(value) - now],
    [fields["expires_in"], (value: unknown) => seconds(value) * 1000],
  ] as const
  const given = expiries.filter(([value]) => value !== undefined && value !== null)
  return given.length === 0
    ? undefined
    : (given.map(([value, read]) => read(value)).find(Number.isFinite) ?? Number.NaN)
}

/** Visible ASCII without spaces, so that a sentence is not taken for a token. */
const token = /^[\x21-\x7e]+$/

const names = ["accessToken", "access_token", "token"]

/** Reads the output of a program that ended at `now`. A JSON string is a token, too. */
export const parse = (stdout: string, now: DateTime.Utc): Result.Result<Credential.FetchedToken, Problem> => {
  const text = stdout.trim()
  if (text === "") return Result.fail("empty")
  const value = /^["[{]/.test(text) ? Option.getOrUndefined(parseJson(text)) : text
  const fields: Readonly<Record<string, unknown>> = Predicate.isObject(value) ? value : { token: value }
  const found = names.map((name) => fields[name]).find((field) => field !== undefined && field !== null)
  if (typeof found !== "string" || !token.test(found)) return Result.fail("malformed")
  const lifetime = lifetimeOf(fields, DateTime.toEpochMillis(now)) ?? undefined
  if (Number.isNaN(lifetime)) return Result.fail("unknownExpiry")
  return lifetime !== undefined && lifetime <= 0
    ? Result.fail("expired")
    : Result.succeed({ accessToken: Redacted.make(found), lifetime: UndefinedOr.map(lifetime, Duration.millis) })
}

/** Flags that take a time or a duration. */
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Flag from "./Flag.js"
import { UsageError } from "./UsageError.js"

export type Since = DateTime.Utc | Duration.Duration

const short = /^(\d{1,6}) ?(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?)$/i

const units: Readonly<Record<string, (count: number) => Duration.Duration>> = {
  s: Duration.seconds,
  m: Duration.minutes,
  h: Duration.hours,
  d: Duration.days,
  w: Duration.weeks,
}

/**
 * Parses a duration from seconds to weeks (`30s`, `90m`, `12h`, `3d`, `2 weeks`), or a text of Effect's `Duration.fromInputUnsafe` (`1.5 hours`).
 * `None` for other text and for negative durations.
 */
export const parseDuration = (text: string): Option.Option<Duration.Duration> => {
  const trimmed = text.trim()
  const [, count, unit = ""] = short.exec(trimmed) ?? []
  // `3M` could mean three months.
  const duration = units[unit === "M" ? unit : unit.charAt(0).toLowerCase()]?.(Number(count))
  if (duration !== undefined) return Option.some(duration)
  // Other text than that of the type is `None`.
  return /^\d/.test(trimmed) ? Duration.fromInput(trimmed as Duration.Input) : Option.none()
}

const toIso = (text: string): string =>
  text.replace(
    /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/,
    (_, month: string, day: string, year: string) => `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
  )

/**
 * Parses a duration (`parseDuration`), an ISO 8601 date or date-time, or month/day/year. UTC without a zone. `None` for other text and for
 * days that do not exist.
 */
const parse = (text: string): Option.Option<DateTime.Utc | Duration.Duration> =>
  Option.orElse(parseDuration(text), () =>
    Option.flatMap(Option.liftPredicate(toIso(text.trim()), Timestamp.isTimestamp), Timestamp.instant),
  )

const isPast = (since: Since, now: DateTime.Utc): boolean =>
  Duration.isDuration(since) ? Duration.isGreaterThan(since, Duration.zero) : DateTime.isLessThan(since, now)

const time = Flag.parsed(
  "time",
  `a duration such as 12h, 3d or "2 weeks", or a date such as 2026-03-10 or 2026-03-10T12:00Z`,
  parse,
)

export const parseSince = Effect.fnUntraced(function* (text: string, from: string) {
  const since = yield* time.parse(text, from)
  if (!isPast(since, yield* DateTime.now))
    return yield* new UsageError(`${from} ${JSON.stringify(text)} is not in the past: pass an earlier time.`)
  return since
})

/** In milliseconds since 1970. */
export const start = (since: Since, now: number): number =>
  Duration.isDuration(since) ? now - Duration.toMillis(since) : DateTime.toEpochMillis(since)

/** A phrase: `in the last 3d`, or `since 2026-03-10T12:00:00.000Z`. */
export const describe = (since: Since): string =>
  Duration.isDuration(since) ? `in the last ${Duration.format(since)}` : `since ${DateTime.formatIso(since)}`

/** `2026-03-10 12:00`, in UTC. */
export const minute = (instant: DateTime.Utc): string => DateTime.formatIso(instant).slice(0, 16).replace("T", " ")

export const pastTime = (description: string) => Flag.optional({ ...time, parse: parseSince }, description)

/** `byDefault` is for the help: the commands set it. */
export const since = (byDefault: string) =>
  pastTime(`Only events updated since then, such as 12h (default: ${byDefault})`)

export const duration = (most: Duration.Input): Flag.Value<Duration.Duration> =>
  Flag.parsed(
    "time",
    `a time from 1s to ${Duration.format(Duration.fromInputUnsafe(most))}, such as 30s, 5m or "2 hours"`,
    (text) =>
      Option.filter(
        parseDuration(text),
        Duration.between({ minimum: Duration.seconds(1), maximum: Duration.fromInputUnsafe(most) }),
      ),
  )

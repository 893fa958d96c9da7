/** The start time of a list: an instant, a duration back from now, or a text of either. */
import * as Timestamp from "@vigil/health-schema/Timestamp"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/**
 * A `text` that is sent as it is, made with `raw`.
 * @category models
 * @since 0.1.0
 */
export interface Raw {
  readonly _tag: "Raw"
  readonly text: string
}

/**
 * Where a list starts: an instant, a duration before the start of the list, a text that `parse` reads as one of these, or
 * `raw` text.
 * @category models
 * @since 0.1.0
 */
export type QueryStartTime = DateTime.DateTime | Duration.Duration | Raw | string

/**
 * Sends a text as it is, for a form that only the service knows. Events are then not filtered by the client.
 * @category constructors
 * @since 0.1.0
 */
export const raw = (text: string): Raw => ({ _tag: "Raw", text })

const short = /^(\d{1,6}) ?(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?)$/i

const units: Readonly<Record<string, (count: number) => Duration.Duration>> = {
  s: Duration.seconds,
  m: Duration.minutes,
  h: Duration.hours,
  d: Duration.days,
  w: Duration.weeks,
}

/**
 * Parses a duration: a whole number and a unit from seconds to weeks (`30s`, `90m`, `12h`, `3d`, `2 weeks`), or a text that
 * Effect's `Duration.decode` accepts (`1.5 hours`). `None` for any other text, and for a negative duration.
 * @category parsing
 * @since 0.1.0
 */
export const parseDuration = (text: string): Option.Option<Duration.Duration> => {
  const trimmed = text.trim()
  const [, count, unit = ""] = short.exec(trimmed) ?? []
  // `3M` means three months to many people.
  const duration = units[unit === "M" ? unit : unit.charAt(0).toLowerCase()]?.(Number(count))
  if (duration !== undefined) return Option.some(duration)
  return /^\d/.test(trimmed) ? Duration.decodeUnknown(trimmed) : Option.none()
}

/** The document's form of a date, as ISO 8601. */
const toIso = (text: string): string =>
  text.replace(
    /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/,
    (_, month: string, day: string, year: string) => `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
  )

/**
 * Parses a start time: a duration back (see `parseDuration`), an ISO 8601 date or date-time, or month/day/year, all in UTC if they
 * name no zone. `None` for any other text, and for a day that does not exist.
 * @category parsing
 * @since 0.1.0
 */
export const parse = (text: string): Option.Option<DateTime.Utc | Duration.Duration> =>
  Option.orElse(parseDuration(text), () =>
    Option.flatMap(Option.liftPredicate(toIso(text.trim()), Timestamp.isTimestamp), Timestamp.instant),
  )

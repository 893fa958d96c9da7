/** The start time of a list: an instant, a duration ago, or a text of either. */
import * as Timestamp from "@vigil/health-schema/Timestamp"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/** Text that is sent unchanged; see `raw`. @category models @since 0.1.0 */
export interface Raw {
  readonly _tag: "Raw"
  readonly text: string
}

/** The start of a list: an instant, a duration before the list, a text for `parse`, or `raw` text. @category models @since 0.1.0 */
export type QueryStartTime = DateTime.DateTime | Duration.Duration | Raw | string

/** Sends text unchanged, for formats that only the service knows. The client then filters no events. @category constructors @since 0.1.0 */
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
 * Parses a duration from seconds to weeks (`30s`, `90m`, `12h`, `3d`, `2 weeks`), or a text of Effect's `Duration.decode` (`1.5 hours`).
 * `None` for other text and for negative durations.
 * @category parsing @since 0.1.0
 */
export const parseDuration = (text: string): Option.Option<Duration.Duration> => {
  const trimmed = text.trim()
  const [, count, unit = ""] = short.exec(trimmed) ?? []
  // `3M` could mean three months.
  const duration = units[unit === "M" ? unit : unit.charAt(0).toLowerCase()]?.(Number(count))
  if (duration !== undefined) return Option.some(duration)
  return /^\d/.test(trimmed) ? Duration.decodeUnknown(trimmed) : Option.none()
}

const toIso = (text: string): string =>
  text.replace(
    /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/,
    (_, month: string, day: string, year: string) => `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
  )

/**
 * Parses a duration (`parseDuration`), an ISO 8601 date or date-time, or month/day/year. UTC without a zone. `None` for other text and for
 * days that do not exist.
 * @category parsing @since 0.1.0
 */
export const parse = (text: string): Option.Option<DateTime.Utc | Duration.Duration> =>
  Option.orElse(parseDuration(text), () =>
    Option.flatMap(Option.liftPredicate(toIso(text.trim()), Timestamp.isTimestamp), Timestamp.instant),
  )

/** Times of calls and answers. */
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/** The one form of times in answers, such as `2026-03-10T12:00:00Z`. */
export const utc = (instant: DateTime.Utc): string => DateTime.formatIso(instant).replace(/\.\d+Z$/, "Z")

/** A time of the service in milliseconds since 1970. `NaN` without an instant. */
export const millis = (timestamp: Timestamp.Timestamp | null | undefined): number =>
  Option.match(Timestamp.instant(timestamp), { onNone: () => Number.NaN, onSome: DateTime.toEpochMillis })

/** A time of the service in that form. `undefined` without an instant. */
export const ofService = (timestamp: Timestamp.Timestamp | null | undefined): string | undefined =>
  Option.getOrUndefined(Option.map(Timestamp.instant(timestamp), utc))

const units: Readonly<Record<string, (count: number) => Duration.Duration>> = {
  m: Duration.minutes,
  h: Duration.hours,
  d: Duration.days,
  w: Duration.weeks,
}

export const expected = `an ISO 8601 time such as 2026-03-10T12:00Z, or a duration such as 90m, 24h, 7d or 2w`

/** Parses a time, or a duration before or after `now`. */
export const parse = (text: string, now: DateTime.Utc, direction: "before" | "after"): Option.Option<DateTime.Utc> => {
  const [, count, unit = ""] = /^(-?\d{1,5})(m|h|d|w)$/.exec(text) ?? []
  const duration = units[unit]?.(Number(count))
  if (duration !== undefined)
    return Option.some(
      direction === "before" ? DateTime.subtractDuration(now, duration) : DateTime.addDuration(now, duration),
    )
  return Option.flatMap(Option.liftPredicate(text, Timestamp.isTimestamp), Timestamp.instant)
}

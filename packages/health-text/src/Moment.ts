/** Reads and formats instants and durations: short and in UTC. Instants are in milliseconds since 1970. */
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** Returns the instant of a timestamp; `undefined` if it has none. @category getters @since 0.4.0 */
export const parse = (timestamp: Timestamp.Timestamp | null | undefined): number | undefined => {
  const instant = Timestamp.instant(timestamp)
  return Option.isNone(instant) ? undefined : DateTime.toEpochMillis(instant.value)
}

/** `Tue, 10 Mar 2026 12:00:00 GMT`. */
const utc = (at: number): string => new Date(at).toUTCString()

/** Returns `12:00`. @category conversions @since 0.4.0 */
export const clock = (at: number): string => utc(at).slice(-12, -7)

/** Returns `10 Mar`. @category conversions @since 0.4.0 */
export const day = (at: number): string => `${new Date(at).getUTCDate()} ${utc(at).slice(8, 11)}`

/** Returns `Mar 2026`. @category conversions @since 0.4.0 */
export const month = (at: number): string => utc(at).slice(8, -13)

/** Returns `10 Mar 2026`. @category conversions @since 0.4.0 */
export const date = (at: number): string => `${new Date(at).getUTCDate()} ${month(at)}`

/** Returns `10 Mar 2026, 12:00`. @category conversions @since 0.4.0 */
export const minute = (at: number): string => `${date(at)}, ${clock(at)}`

const halfYear = 182 * 86_400_000

/** Returns `10 Mar, 12:00`, with the year if it is half a year away from `now`. @category conversions @since 0.4.0 */
export const near = (at: number, now: number): string =>
  Math.abs(now - at) > halfYear ? minute(at) : `${day(at)}, ${clock(at)}`

/** Returns `10 Mar 2026, 12:00 – 14:30`, with the date of the end if it differs. The end is left out if it is in the same minute. @category conversions @since 0.4.0 */
export const between = (start: number, end: number): string => {
  const first = minute(start)
  if (end === Infinity) return `${first} – ongoing`
  const last = minute(end)
  if (first === last) return first
  return `${first} – ${date(start) === date(end) ? clock(end) : last}`
}

/** Returns `3 d 4 h`: the two largest units, at least one minute. @category conversions @since 0.4.0 */
export const span = (milliseconds: number): string => {
  const minutes = Math.floor(Math.max(60_000, milliseconds) / 60_000)
  const units = [
    [Math.floor(minutes / 1_440), "d"],
    [Math.floor(minutes / 60) % 24, "h"],
    [minutes % 60, "min"],
  ] as const
  const first = units.findIndex(([count]) => count > 0)
  return units
    .slice(first, first + 2)
    .flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : []))
    .join(" ")
}

/** Returns `2 h ago`, or `in 3 h` for a time to come. @category conversions @since 0.4.0 */
export const age = (at: number, now: number): string => (at > now ? `in ${span(at - now)}` : `${span(now - at)} ago`)

/** How much later than that of this machine a clock of the service may be. */
const clockSkew = 300_000

/** Returns whether an instant is later than now, also by a clock of the service that is five minutes fast. @category guards @since 0.4.0 */
export const isFuture = (at: number | undefined, now: number): boolean => at !== undefined && at > now + clockSkew

/** Reads the header `Retry-After` (RFC 9110, 10.2.3): seconds, or a date. */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/** Longer than anybody waits, in seconds: a century. */
const most = 3_155_760_000

/** How long to wait from `now` (milliseconds since 1970); `None` for an absent, negative or unreadable value. */
export const parse = (header: string | undefined, now: number): Option.Option<Duration.Duration> => {
  if (header === undefined) return Option.none()
  const text = header.trim()
  if (/^\d+$/.test(text)) return Option.some(Duration.seconds(Math.min(Number(text), most)))
  // Dates are in GMT; the oldest of their three forms does not say so.
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text.endsWith("GMT") ? text : `${text} GMT`) : Number.NaN
  return Number.isNaN(date) ? Option.none() : Option.some(Duration.millis(Math.max(0, date - now)))
}

/** A date-time that keeps the exact text it was sent as, and becomes an instant when asked. */
import type * as Brand from "effect/Brand"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * The text of a date-time: ISO 8601 with any number of fraction digits and an optional zone, or empty, as services send
 * an empty text for "none" (field notes, "Payload oddities").
 *
 * @category models
 * @since 0.1.0
 */
export type Timestamp = string & Brand.Brand<"@vigil/health-schema/Timestamp">

const iso =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(?:[Zz]|([+-])([01]\d|2[0-3]):?([0-5]\d))?)?$/

/**
 * Whether `text` is a `Timestamp`. The day need not exist: `2025-02-30` is kept, and has no instant.
 *
 * @category guards
 * @since 0.1.0
 */
export const isTimestamp = (text: string): text is Timestamp => text === "" || iso.test(text)

/**
 * @category schemas
 * @since 0.1.0
 */
export const Timestamp: Schema.Schema<Timestamp, string> = Schema.String.pipe(
  Schema.filter(isTimestamp, {
    identifier: "an ISO 8601 date-time",
    jsonSchema: { anyOf: [{ format: "date-time" }, { const: "" }] },
  }),
)

const minutes = (sign: string | undefined, hours: string | undefined, rest: string | undefined): number =>
  (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(rest ?? 0))

/**
 * The instant, in UTC and to the millisecond; a text without a zone is UTC. `None` for an empty text, for a day that
 * does not exist, and for the year 0001, which stands for "not yet" (field notes, "Payload oddities").
 *
 * @category conversions
 * @since 0.1.0
 */
export const instant = (timestamp: Timestamp | null | undefined): Option.Option<DateTime.Utc> => {
  const parts = timestamp === null || timestamp === undefined ? null : iso.exec(timestamp)
  if (parts === null) return Option.none()
  const [, year, month, day, hour, minute, second, fraction, sign, zoneHours, zoneMinutes] = parts
  if (year === "0001") return Option.none()
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCDate() !== Number(day)) return Option.none()
  const milliseconds = Number((fraction ?? "").slice(0, 3).padEnd(3, "0"))
  date.setUTCHours(Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0), milliseconds)
  return DateTime.make(date.getTime() - minutes(sign, zoneHours, zoneMinutes) * 60_000)
}

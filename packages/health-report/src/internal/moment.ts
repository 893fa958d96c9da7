/** Reads and formats instants and durations: short and in UTC. Instants are in milliseconds since 1970. */
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const

export const parse = (timestamp: Timestamp.Timestamp | null | undefined): number | undefined => {
  const instant = Timestamp.instant(timestamp)
  return Option.isNone(instant) ? undefined : DateTime.toEpochMillis(instant.value)
}

const clockOf = (date: Date) =>
  `${String(date.getUTCHours()).padStart(2, "0")}:${String(date.getUTCMinutes()).padStart(2, "0")}`

const dayOf = (date: Date) => `${date.getUTCDate()} ${months[date.getUTCMonth()]}`

const dateOf = (date: Date) => `${dayOf(date)} ${date.getUTCFullYear()}`

/** `12:00`. */
export const clock = (at: number): string => clockOf(new Date(at))

/** `10 Mar`. */
export const day = (at: number): string => dayOf(new Date(at))

/** `Mar 2026`. */
export const month = (at: number): string => date(at).replace(/^\d+ /, "")

/** `10 Mar 2026`. */
export const date = (at: number): string => dateOf(new Date(at))

/** `10 Mar 2026, 12:00`. */
export const minute = (at: number): string => {
  const date = new Date(at)
  return `${dateOf(date)}, ${clockOf(date)}`
}

const dayLength = 86_400_000

/** `10 Mar 2026, 12:00 – 14:30`, with the date of the end if it differs. */
export const between = (start: number, end: number): string => {
  const isSameDay = Math.floor(start / dayLength) === Math.floor(end / dayLength)
  return `${minute(start)} – ${end === Infinity ? "ongoing" : isSameDay ? clock(end) : minute(end)}`
}

/** `3 d 4 h`: the two largest units, at least one minute. */
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

/** Formats instants and durations: short and in UTC. */
import * as Duration from "effect/Duration"

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const

const iso = (at: number) => new Date(at).toISOString()

const name = (at: number) => months[new Date(at).getUTCMonth()]

/** `12:00`. */
export const clock = (at: number): string => iso(at).slice(11, 16)

/** `10 Mar`. */
export const day = (at: number): string => `${new Date(at).getUTCDate()} ${name(at)}`

/** `Mar 2026`. */
export const month = (at: number): string => `${name(at)} ${new Date(at).getUTCFullYear()}`

/** `10 Mar 2026`. */
export const date = (at: number): string => `${day(at)} ${new Date(at).getUTCFullYear()}`

/** `10 Mar 2026, 12:00`. */
export const minute = (at: number): string => `${date(at)}, ${clock(at)}`

/** `10 Mar 2026, 12:00 – 14:30`, with the date of the end if it differs. */
export const between = (start: number, end: number | undefined): string => {
  const last = end === undefined ? "ongoing" : date(start) === date(end) ? clock(end) : minute(end)
  return `${minute(start)} – ${last}`
}

/** `3 d 4 h`: the two largest units, at least one minute. */
export const span = (milliseconds: number): string => {
  const { days, hours, minutes } = Duration.parts(Duration.millis(Math.max(60_000, milliseconds)))
  const parts = [`${days} d`, `${hours} h`, `${minutes} min`]
  const isZero = (part: string) => part.startsWith("0 ")
  const first = parts.findIndex((part) => !isZero(part))
  return parts
    .slice(first, first + 2)
    .filter((part) => !isZero(part))
    .join(" ")
}

/** Formats instants and durations: short and in UTC. */

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

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
] as const

/** `3 d 4 h`: the two largest units, at least one minute. */
export const span = (milliseconds: number): string => {
  let rest = Math.max(60_000, milliseconds)
  const parts = units.map(([unit, length]) => {
    const count = Math.floor(rest / length)
    rest -= count * length
    return { count, unit }
  })
  const first = parts.findIndex(({ count }) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ count, unit }) => `${count} ${unit}`)
    .join(" ")
}

/** An event for people's eyes: a line a field, and none longer than asked for. */
import type * as ApiVersion from "./ApiVersion.js"
import type * as HealthEvent from "./HealthEvent.js"

/** What would leave its line, or change how the line reads: controls, separators, bidi controls, halves of characters. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu

/**
 * The beginning of a value's JSON, a little more than `room` characters of it if there are as many. Every level takes some
 * of the room, so that no nesting is too deep.
 */
const json = (value: unknown, room: number): string => {
  if (typeof value === "string") return JSON.stringify(value.slice(0, room))
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? "[]" : "{}"
  let text = `${open}`
  for (const [key, inner] of Object.entries(value)) {
    if (text.length > room) break
    const name = Array.isArray(value) ? "" : `${json(key, room)}:`
    text += `${text === open ? "" : ","}${name}${json(inner, room - text.length)}`
  }
  return text + close
}

const line = (name: string, value: unknown, width: number): string => {
  const whole = `${name}: ${typeof value === "string" ? value : json(value, width)}`.replace(unsafe, " ").trim()
  const characters = Array.from(whole)
  return characters.length <= width ? whole : `${characters.slice(0, width - 1).join("")}…`
}

/**
 * Prints an event: first its identity, then each of its properties, in the order that they were sent. A field is one line
 * of at most `width` characters (default 120, from 1 to 2,000), the rest of it cut; lists and records are JSON. Fields that are absent or
 * `null` are left out, and no text can move the cursor.
 * @category printing
 * @since 0.1.0
 */
export const event = (
  value: HealthEvent.HealthEvent<ApiVersion.ApiVersion>,
  { width = 120 }: { readonly width?: number | undefined } = {},
): string => {
  const { properties, ...identity } = value
  // No line is longer than this, whatever is asked for: it bounds how deep a value is looked into.
  const room = Math.min(Math.max(1, width), 2_000)
  return [...Object.entries(identity), ...Object.entries(properties ?? {})]
    .filter(([, field]) => field !== null && field !== undefined)
    .map(([name, field]) => line(name, field, room))
    .join("\n")
}

/** An event for people's eyes: a line a field, and none longer than asked for. */
import type * as ApiVersion from "./ApiVersion.js"
import type * as HealthEvent from "./HealthEvent.js"

/** What would leave its line, or change how the line reads: controls, separators, bidi controls, halves of characters. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu

const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const line = (name: string, value: unknown, width: number): string => {
  const whole = `${name}: ${text(value)}`.replace(unsafe, " ").trim()
  const characters = Array.from(whole)
  return characters.length <= width ? whole : `${characters.slice(0, width - 1).join("")}…`
}

/**
 * Prints an event: first its identity, then each of its properties, in the order that they were sent. A field is one line
 * of at most `width` characters (default 120), the rest of it cut; lists and records are JSON. Fields that are absent or
 * `null` are left out, and no text can move the cursor.
 *
 * @category printing
 * @since 0.1.0
 */
export const event = (
  value: HealthEvent.HealthEvent<ApiVersion.ApiVersion>,
  { width = 120 }: { readonly width?: number | undefined } = {},
): string => {
  const { properties, ...identity } = value
  return [...Object.entries(identity), ...Object.entries(properties ?? {})]
    .filter(([, field]) => field !== null && field !== undefined)
    .map(([name, field]) => line(name, field, width))
    .join("\n")
}

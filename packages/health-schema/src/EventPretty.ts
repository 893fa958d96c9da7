/** Formats an event as text, one line per field. */
import type * as ApiVersion from "./ApiVersion.js"
import type * as HealthEvent from "./HealthEvent.js"

/** Control characters, separators, bidirectional controls and unpaired surrogates. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu

/** Returns about the first `limit` characters of the JSON. Each level uses some of them, which bounds the depth. */
const json = (value: unknown, limit: number): string => {
  if (typeof value === "string")
    return JSON.stringify(value.length > limit ? `${value.slice(0, limit).toWellFormed()}…` : value)
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? "[]" : "{}"
  let text = `${open}`
  for (const [key, inner] of Object.entries(value)) {
    if (text.length > limit) return `${text}…${close}`
    const name = Array.isArray(value) ? "" : `${json(key, limit)}:`
    text += `${text === open ? "" : ","}${name}${json(inner, limit - text.length)}`
  }
  return text + close
}

const line = (name: string, value: unknown, width: number): string => {
  const text = `${name}: ${typeof value === "string" ? value : json(value, width)}`.replace(unsafe, " ").trim()
  const characters = Array.from(text)
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`
}

/**
 * Formats the identity of an event, then its properties, in the order in which they were sent. Each field is one line of at most `width`
 * characters (default 120, from 1 to 2,000), without control characters. Lists and records are JSON. Absent and `null` fields are left out.
 * @category printing @since 0.1.0
 */
export const format = (
  value: HealthEvent.HealthEvent<ApiVersion.ApiVersion>,
  { width = 120 }: { readonly width?: number | undefined } = {},
): string => {
  const { properties, ...identity } = value
  // The maximum bounds the recursion of `json`.
  const limit = Math.min(Math.max(1, width), 2_000)
  return [...Object.entries(identity), ...Object.entries(properties ?? {})]
    .filter(([, field]) => field !== null && field !== undefined)
    .map(([name, field]) => line(name, field, limit))
    .join("\n")
}

/** JSON values in texts for people. */
import * as Predicate from "effect/Predicate"

/** `JSON.stringify` is recursive, so it throws if a value is nested too deeply. */
export const jsonText = (value: unknown): string => {
  try {
    return JSON.stringify(value)
  } catch {
    return "(nested too deeply to print)"
  }
}

const plain = (value: unknown): string => (typeof value === "string" ? value : jsonText(value))

/** The names and values of a map on one line; other values as themselves. */
export const pairs = (value: unknown, separator: string): string =>
  Predicate.isObject(value)
    ? Object.entries(value)
        .map(([name, one]) => `${name}${separator}${plain(one)}`)
        .join(", ")
    : Predicate.isNullish(value)
      ? ""
      : plain(value)

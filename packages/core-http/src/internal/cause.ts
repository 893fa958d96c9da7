/** Errors of other libraries, reduced to what may be shown. */
import * as Predicate from "effect/Predicate"
import * as PlainText from "../PlainText.js"

/** How many errors of a chain of causes are kept. */
const maxDepth = 5

const textOf = (error: object, name: string): string | undefined => {
  const value = Predicate.hasProperty(error, name) ? error[name] : undefined
  return typeof value === "string" && value !== "" ? PlainText.line(value, 100) : undefined
}

/**
 * A copy of an error and its causes: names, string codes, and messages as `describe` rewrites them. No other property is kept, as
 * errors of HTTP clients carry the request with its headers. `undefined` for a value that is not an object.
 */
export const sanitize = (
  error: unknown,
  describe: (message: string) => string,
  depth = maxDepth,
): Error | undefined => {
  if (depth === 0 || typeof error !== "object" || error === null) return undefined
  const name = textOf(error, "_tag") ?? textOf(error, "name") ?? "Error"
  const message = Predicate.hasProperty(error, "message") ? describe(String(error.message)) : ""
  const inner = Predicate.hasProperty(error, "cause") ? sanitize(error.cause, describe, depth - 1) : undefined
  const copy = new Error(message, inner === undefined ? undefined : { cause: inner })
  copy.name = name
  // A new stack would point here, and the original one contains the original message.
  copy.stack = message === "" ? name : `${name}: ${message}`
  const code = textOf(error, "code")
  return code === undefined ? copy : Object.assign(copy, { code })
}

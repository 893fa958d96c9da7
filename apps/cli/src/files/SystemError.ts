/** The errors of the operating system. */
import * as Predicate from "effect/Predicate"

/** The code of a system error, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : undefined

/** The code and message in the body of an error response. */
import * as Predicate from "effect/Predicate"

/** The code and message of an error response. @category models @since 0.1.0 */
export interface ErrorBody {
  /** The error code. */
  readonly code?: string | undefined
  /** The error message. */
  readonly message?: string | undefined
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined

/**
 * Reads `code` and `message`, flat or nested under `error`, as services send them. Other JSON has neither.
 * @category parsing @since 0.1.0
 */
export const fromJson = (json: unknown): ErrorBody => {
  const body = Predicate.isObject(json) ? json : {}
  const error = Predicate.isObject(body["error"]) ? body["error"] : body
  return { code: text(error["code"]), message: text(error["message"]) }
}

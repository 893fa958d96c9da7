/** The code and message in the body of an error response. */
import * as Predicate from "effect/Predicate"

/** The code and message in the body of an error response.
 * @category models
 * @since 0.1.0 */
export interface ErrorBody {
  readonly code?: string | undefined
  readonly message?: string | undefined
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined

/** Reads the known forms of error bodies (field notes, "Errors"): `code` and `message` flat, or nested under `error`; the code a string or
 * a number; either of the two alone. Any other JSON has neither.
 * @category parsing
 * @since 0.1.0 */
export const fromJson = (json: unknown): ErrorBody => {
  const body = Predicate.isRecord(json) ? json : {}
  const error = Predicate.isRecord(body["error"]) ? body["error"] : body
  return { code: text(error["code"]), message: text(error["message"]) }
}

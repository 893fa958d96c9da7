/** The code and message in the body of an error response, in the forms that services send. */
import * as Predicate from "effect/Predicate"

/** The code and message of an error response. @category models @since 0.1.0 */
export interface ErrorBody {
  /** The error code. */
  readonly code?: string | undefined
  /** The error message. */
  readonly message?: string | undefined
}

const text = (value: unknown): string | undefined =>
  typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : undefined

const nestedIn = (body: Readonly<Record<string, unknown>>): unknown => body["error"] ?? body["odata.error"]

/**
 * Reads the code and message of JSON or text: flat or nested under `error` (also of OData), of OAuth (RFC 6749, section 5.2), of problem
 * details (RFC 9457), or plain text. Other JSON and HTML pages have neither.
 * @category parsing @since 0.2.0
 */
export const fromBody = (body: unknown): ErrorBody => {
  // HTML is from a proxy, and says nothing about the request.
  if (typeof body === "string") return /^\s*(<|$)/.test(body) ? {} : { message: body }
  if (!Predicate.isObject(body)) return {}
  const nested = nestedIn(body)
  const { code, detail, error_description, message, title } = Predicate.isObject(nested) ? nested : body
  const label = Predicate.isObject(nested) ? undefined : text(nested)
  const isCode = label !== undefined && !/\s/.test(label)
  // OData 3 has the text in `value`.
  const own = text(Predicate.isObject(message) ? message["value"] : message)
  return {
    code: text(code) ?? (isCode ? label : undefined),
    message: own ?? text(error_description) ?? text(detail) ?? text(title) ?? (isCode ? undefined : label),
  }
}

/**
 * Returns the error in the body of a success response: under `error`, or flat with a message and a code or the status of an error. Returns
 * `undefined` if there is none.
 * @category parsing @since 0.2.0
 */
export const inSuccess = (body: unknown): ErrorBody | undefined => {
  if (!Predicate.isObject(body)) return undefined
  const error = fromBody(body)
  const isFailed = error.code !== undefined || Number(body["status"] ?? body["statusCode"]) >= 400
  return nestedIn(body) || (error.message !== undefined && isFailed) ? error : undefined
}

/** Faults that are error responses: rate limits, expired tokens, and every form of an error body. */
import * as Reply from "../../Reply.js"
import { error, type Fault, fault, type Faults, fill, first, last, replies, second } from "./fault.js"

/** If `retryAfter` is a number, the header is a date this many milliseconds after the start. */
const slowDown = (text: string, retryAfter: string | number | undefined, status = 429): Fault =>
  fault(42, `First ${status}, Retry-After ${text}.`, ({ now }) => {
    const value = typeof retryAfter === "number" ? new Date(now + retryAfter).toUTCString() : retryAfter
    const code = status === 429 ? "TooManyRequests" : "ServiceUnavailable"
    return [error(status, code, "Slow down.", value === undefined ? {} : { "retry-after": value }), last]
  })

const status = (code: number, row = 44): Fault =>
  replies(row, `Responds to every request with ${code}.`, error(code, `Status${code}`, `This is status ${code}.`))

const expired = error(401, "ExpiredAuthenticationToken", "The token has expired.", { "www-authenticate": "Bearer" })

const expiring =
  (renewable: boolean): Fault["script"] =>
  ({ foreign }) => {
    let firstCredential: string | undefined
    return ({ headers, origin }, index) => {
      const credential = headers["authorization"] ?? headers["x-api-token"] ?? ""
      firstCredential ??= credential
      if (index === 0) return first(fill(second, origin, foreign))
      return renewable && credential !== firstCredential ? last : expired
    }
  }

const nested = (status: number, code: unknown, message: string): Reply.Reply =>
  Reply.json({ error: { code, message } }, { status })

const html = Reply.text("<html><h1>404</h1></html>", { status: 404, headers: { "content-type": "text/html" } })

export const errors = {
  "retry-after-seconds": slowDown("2 seconds", "2"),
  "retry-after-zero": slowDown("0 seconds", "0"),
  "retry-after-date": slowDown("a date two seconds after the start", 2_000),
  "retry-after-past": slowDown("a date in the past", -3_600_000),
  "retry-after-negative": slowDown("-1", "-1"),
  "retry-after-text": slowDown("a word", "abc"),
  "retry-after-ten-years": slowDown("ten years", "315360000"),
  "retry-after-absent": slowDown("absent", undefined),
  "retry-after-503": slowDown("2 seconds", "2", 503),
  "retry-after-503-absent": slowDown("absent", undefined, 503),
  "status-429": status(429, 42),
  "status-500": status(500, 42),
  "status-503": status(503, 42),
  "token-expires-mid-list": fault(43, "The second page is a 401 until the credential changes.", expiring(true)),
  "token-refused-mid-list": fault(43, "The second page is a 401 for any credential.", expiring(false)),
  "status-401": status(401, 43),
  "status-403": status(403, 45),
  "status-404": status(404, 45),
  "status-411": status(411),
  "status-412": status(412),
  "status-418": status(418),
  "status-501": status(501),
  "status-505": status(505),
  "error-flat": replies(45, "A flat error body.", error(400, "InvalidODataQueryOptions", "The query is not valid.")),
  "error-nested": replies(
    45,
    "A nested error body.",
    nested(409, "MissingSubscriptionRegistration", "Not registered."),
  ),
  "error-integer-code": replies(45, "A nested error with a numeric code.", nested(400, 4_001, "No.")),
  "error-html": replies(45, "An HTML error page.", html),
  "error-empty": replies(45, "An error without a body.", Reply.empty(403)),
  "error-5-mb": fault(45, "An error with a message of 5 MB.", () => [error(400, "Verbose", "x".repeat(5_000_000))]),
  "error-echo": fault(56, "An error that repeats the credential.", () => (request) => Reply.echo(request)),
  "error-without-end": replies(45, "An error with an endless body.", { ...Reply.drip("x"), status: 403 }),
} satisfies Faults

/** Faults that are error responses: rate limits, expired tokens, and every form of an error body. */
import * as Reply from "../../Reply.js"
import { always, error, type Fault, fault, type Faults, fill, first, last, second } from "./fault.js"

const slowDown = (status: number, headers: Readonly<Record<string, string>>): Reply.Reply =>
  error(status, status === 429 ? "TooManyRequests" : "ServiceUnavailable", "Slow down.", headers)

/** One error with this `Retry-After`, and then a page. */
const retryAfter = (what: string, seconds: string | undefined, status = 429): Fault =>
  fault(
    42,
    `${status} at first, and Retry-After ${what}.`,
    always(slowDown(status, seconds === undefined ? {} : { "retry-after": seconds }), last),
  )

/** The same, with a date that is this many milliseconds after the start of the fault. */
const retryAfterDate = (what: string, afterStart: number): Fault =>
  fault(42, `429 at first, and Retry-After ${what}.`, ({ now }) => [
    slowDown(429, { "retry-after": new Date(now + afterStart).toUTCString() }),
    last,
  ])

/** The same status for every request. */
const status = (code: number, row = 44): Fault =>
  fault(row, `Every request is answered with ${code}.`, always(error(code, `Status${code}`, `This is status ${code}.`)))

const expired = error(401, "ExpiredAuthenticationToken", "The token has expired.", { "www-authenticate": "Bearer" })

/** A list whose second page is a 401, until another credential is sent if `renewable`. */
const expiring =
  (renewable: boolean): Fault["script"] =>
  ({ foreign }) => {
    let before: string | undefined
    return ({ headers, origin }, index) => {
      const now = headers["authorization"] ?? headers["x-api-token"] ?? ""
      before ??= now
      if (index === 0) return first(fill(second, origin, foreign))
      return renewable && now !== before ? last : expired
    }
  }

const nested = (status: number, code: unknown, message: string): Reply.Reply =>
  Reply.json({ error: { code, message } }, { status })

const html = Reply.text("<html><h1>404</h1></html>", { status: 404, headers: { "content-type": "text/html" } })

export const errors = {
  "retry-after-seconds": retryAfter("is 2 seconds", "2"),
  "retry-after-zero": retryAfter("is 0 seconds", "0"),
  "retry-after-date": retryAfterDate("is a date two seconds after the start", 2_000),
  "retry-after-past": retryAfterDate("is a date in the past", -3_600_000),
  "retry-after-negative": retryAfter("is -1", "-1"),
  "retry-after-text": retryAfter("is a word", "abc"),
  "retry-after-ten-years": retryAfter("is ten years", "315360000"),
  "retry-after-absent": retryAfter("is absent", undefined),
  "retry-after-503": retryAfter("is 2 seconds", "2", 503),
  "retry-after-503-absent": retryAfter("is absent", undefined, 503),
  "status-429": status(429, 42),
  "status-500": status(500, 42),
  "status-503": status(503, 42),
  "token-expires-mid-list": fault(43, "The second page is a 401 until another credential comes.", expiring(true)),
  "token-refused-mid-list": fault(43, "The second page is a 401 whatever credential comes.", expiring(false)),
  "status-401": status(401, 43),
  "status-403": status(403, 45),
  "status-404": status(404, 45),
  "status-411": status(411),
  "status-412": status(412),
  "status-418": status(418),
  "status-501": status(501),
  "status-505": status(505),
  "error-flat": fault(
    45,
    "An error of the contract's own form, flat.",
    always(error(400, "InvalidODataQueryOptions", "The query is not valid.")),
  ),
  "error-nested": fault(
    45,
    "An error of the gateway's form, nested.",
    always(nested(409, "MissingSubscriptionRegistration", "Not registered.")),
  ),
  "error-integer-code": fault(45, "A nested error whose code is a number.", always(nested(400, 4_001, "No."))),
  "error-html": fault(45, "An error that is a page of HTML.", always(html)),
  "error-empty": fault(45, "An error without a body.", always(Reply.empty(403))),
  "error-5-mb": fault(45, "An error whose message has 5 MB.", () => [error(400, "Verbose", "x".repeat(5_000_000))]),
  "error-echo": fault(
    56,
    "An error that repeats the credential, in its body and a header.",
    () => (request) => Reply.echo(request),
  ),
  "error-without-end": fault(45, "An error whose body never ends.", always({ ...Reply.drip("x"), status: 403 })),
} satisfies Faults

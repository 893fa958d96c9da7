/** Answers that say no: wait, prove who you are, not like this. */
import * as Reply from "../../../Reply.js"
import { always, first, last, second } from "../pages.js"
import { fault, type Draft } from "../scenario.js"

const flat = (status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) =>
  Reply.json({ code, message }, { status, headers })

/** One refusal with this `Retry-After`, and then a page. */
const waiting = (what: string, retryAfter: string | undefined, status = 429): Draft =>
  fault(
    42,
    `${status} at first, and Retry-After ${what}.`,
    always(
      flat(
        status,
        status === 429 ? "TooManyRequests" : "ServiceUnavailable",
        "Slow down.",
        retryAfter === undefined ? {} : { "retry-after": retryAfter },
      ),
      last,
    ),
  )

/** The same, at an instant that is so many milliseconds from when the fault is started. */
const waitingUntil = (what: string, fromNow: number): Draft =>
  fault(42, `429 at first, and Retry-After ${what}.`, ({ now }) => [
    flat(429, "TooManyRequests", "Slow down.", { "retry-after": new Date(now + fromNow).toUTCString() }),
    last,
  ])

/** A status that is always the answer. */
const status = (code: number, row = 44): Draft =>
  fault(row, `Every request is answered with ${code}.`, always(flat(code, `Status${code}`, `This is status ${code}.`)))

const expired = flat(401, "ExpiredAuthenticationToken", "The token has expired.", { "www-authenticate": "Bearer" })

/** A list that, after its first page, wants another credential. */
const wantingAnother =
  (isRefused: (now: string, before: string) => boolean): Draft["script"] =>
  () => {
    let before: string | undefined
    return (request, index) => {
      const now = request.headers["authorization"] ?? request.headers["x-api-token"] ?? ""
      before ??= now
      if (index === 0) return first(second(request))
      return isRefused(now, before) ? expired : last
    }
  }

export const refusals = {
  "retry-after-seconds": waiting("is 2 seconds", "2"),
  "retry-after-zero": waiting("is 0 seconds", "0"),
  "retry-after-date": waitingUntil("is a date two seconds after the start", 2_000),
  "retry-after-past": waitingUntil("is a date in the past", -3_600_000),
  "retry-after-negative": waiting("is -1", "-1"),
  "retry-after-text": waiting("is a word", "abc"),
  "retry-after-ten-years": waiting("is ten years", "315360000"),
  "retry-after-absent": waiting("is absent", undefined),
  "retry-after-503": waiting("is 2 seconds", "2", 503),
  "retry-after-503-absent": waiting("is absent", undefined, 503),
  "status-429": status(429, 42),
  "status-500": status(500, 42),
  "status-503": status(503, 42),
  "token-expires-mid-list": fault(
    43,
    "The second page is a 401 until another credential comes.",
    wantingAnother((now, before) => now === before),
  ),
  "token-refused-mid-list": fault(
    43,
    "The second page is a 401 whatever credential comes.",
    wantingAnother(() => true),
  ),
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
    always(flat(400, "InvalidODataQueryOptions", "The query is not valid.")),
  ),
  "error-nested": fault(
    45,
    "An error of the gateway's form, nested.",
    always(
      Reply.json({ error: { code: "MissingSubscriptionRegistration", message: "Not registered." } }, { status: 409 }),
    ),
  ),
  "error-integer-code": fault(
    45,
    "A nested error whose code is a number.",
    always(Reply.json({ error: { code: 4_001, message: "No." } }, { status: 400 })),
  ),
  "error-html": fault(
    45,
    "An error that is a page of HTML.",
    always(Reply.text("<html><h1>404</h1></html>", { status: 404, headers: { "content-type": "text/html" } })),
  ),
  "error-empty": fault(45, "An error without a body.", always(Reply.empty(403))),
  "error-5-mb": fault(45, "An error whose message has 5 MB.", () => () => flat(400, "Verbose", "x".repeat(5_000_000))),
  "error-echo": fault(
    56,
    "An error that repeats the credential, in its body and a header.",
    () => (request) => Reply.echo(request),
  ),
  "error-without-end": fault(45, "An error whose body never ends.", always({ ...Reply.drip("x"), status: 403 })),
} satisfies Readonly<Record<string, Draft>>

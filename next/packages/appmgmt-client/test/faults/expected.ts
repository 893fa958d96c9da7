/** The expected result and number of requests of a call, for each fault. */
import type { Faults } from "@vigil/sandbox"

/** The rows of the fault list that apply to a single request. */
export const rows: ReadonlySet<number> = new Set([21, 22, 23, 24, 25, 26, 27, 29, 30, 42, 44, 45, 53, 56])

/** Rows without a named fault, tested in `rows.test.ts`. */
export const scripted: ReadonlyArray<number> = [53]

type Kind = "user" | "removeUser" | "request"
/** `outcome` is the tag of the error, or `done`. */
type Expected = readonly [outcome: string, requests: number, message?: RegExp]

/** One expectation, or one per kind: `user` is a GET, `removeUser` an idempotent DELETE, `request` a POST without retries. */
type ByKind = Expected | Readonly<Record<Kind, Expected>>

const atOnce = (outcome: string, message?: RegExp): Expected =>
  message === undefined ? [outcome, 1] : [outcome, 1, message]
const done = (requests: number): Expected => ["done", requests]

/** Fails after every retry; a POST is not retried. */
const afterRetries = (outcome: string): ByKind => ({
  user: [outcome, 4],
  removeUser: [outcome, 4],
  request: [outcome, 1],
})
/** Succeeds at the second attempt; a POST is not retried. */
const atRetry = (outcome: string): ByKind => ({ user: done(2), removeUser: done(2), request: [outcome, 1] })
/** A GET follows the redirect; requests that change data do not. */
const redirected = (user: Expected): ByKind => ({
  user,
  removeUser: ["RedirectRefused", 1, /would repeat a request that changes data/],
  request: ["RedirectRefused", 1, /would repeat a request that changes data/],
})
const otherOrigin = atOnce("RedirectRefused", /redirect that leads to another origin/)

const notFound: ByKind = { user: ["NotFound", 1], removeUser: ["AppOrUserNotFound", 1], request: ["NotFound", 1] }

const table: Partial<Readonly<Record<Faults.Name, ByKind>>> = {
  "redirect-301-other-origin": otherOrigin,
  "redirect-302-other-origin": otherOrigin,
  "redirect-303-other-origin": otherOrigin,
  "redirect-307-other-origin": otherOrigin,
  "redirect-308-other-origin": otherOrigin,
  "redirect-http": otherOrigin,
  "redirect-protocol-relative": otherOrigin,
  "redirect-303": redirected(done(2)),
  "redirect-loop": redirected(["RedirectRefused", 6, /exceeds the redirect limit/]),
  "redirect-malformed": atOnce("RedirectRefused"),
  "redirect-file": atOnce("RedirectRefused"),
  "redirect-nowhere": atOnce("RedirectRefused"),
  "redirect-same-origin": redirected(done(2)),
  "redirect-same-origin-307": redirected(done(2)),
  "redirect-chain": redirected(["RedirectRefused", 6, /exceeds the redirect limit/]),
  "connection-refused": ["TransportError", 0, /refused \(ECONNREFUSED\)/],
  "tls-untrusted": ["TransportError", 0, /its certificate is invalid/],
  "reset-before-headers": afterRetries("TransportError"),
  "reset-before-headers-once": atRetry("TransportError"),
  "close-before-headers": afterRetries("TransportError"),
  "reset-in-body": afterRetries("TransportError"),
  "reset-in-body-once": atRetry("TransportError"),
  "short-body": afterRetries("TransportError"),
  silent: afterRetries("TimeoutError"),
  "silent-in-headers": afterRetries("TimeoutError"),
  "silent-in-body": afterRetries("TimeoutError"),
  "too-large-chunked": atOnce("BodyTooLarge", /33554432 bytes/),
  "too-large-declared": atOnce("BodyTooLarge"),
  "error-too-large": atOnce("ServiceError", /responded 400\./),
  "retry-after-seconds": atOnce("RateLimited", /Try again in 2s/),
  "retry-after-zero": done(2),
  "retry-after-date": atOnce("RateLimited", /Try again in/),
  "retry-after-past": done(2),
  "retry-after-negative": done(2),
  "retry-after-text": done(2),
  "retry-after-ten-years": atOnce("RateLimited", /Try again in 3650d/),
  "retry-after-absent": done(2),
  "retry-after-503": atOnce("ServiceError", /503/),
  "retry-after-503-absent": atRetry("ServiceError"),
  "status-429": ["RateLimited", 4],
  "status-500": afterRetries("ServiceError"),
  "status-503": afterRetries("ServiceError"),
  "status-403": atOnce("Forbidden"),
  "status-404": notFound,
  "status-411": atOnce("ServiceError"),
  "status-412": atOnce("ServiceError"),
  "status-418": atOnce("ServiceError"),
  "status-501": atOnce("ServiceError"),
  "status-505": atOnce("ServiceError"),
  "error-flat": atOnce("ServiceError", /InvalidODataQueryOptions: The query is not valid\./),
  "error-nested": atOnce("ServiceError", /MissingSubscriptionRegistration: Not registered\./),
  "error-integer-code": atOnce("ServiceError", /responded 400 4001: No\./),
  "error-html": notFound,
  "error-empty": atOnce("Forbidden", /responded 403\./),
  "error-5-mb": atOnce("ServiceError", /responded 400/),
  "error-without-end": atOnce("Forbidden"),
  // A fixed token is not fetched again after a 401.
  "error-echo": atOnce("Unauthorized", /<redacted>/),
}

const isSame = (byKind: ByKind): byKind is Expected => Array.isArray(byKind)

/** The expectation for this kind of call under this fault. */
export const expected = (name: Faults.Name, kind: Kind): Expected => {
  const byKind = table[name]
  if (byKind === undefined) return ["no expectation", -1]
  return isSame(byKind) ? byKind : byKind[kind]
}

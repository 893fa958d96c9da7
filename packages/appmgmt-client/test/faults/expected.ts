/** What becomes of a call under each fault: how it ends, and how often the service is asked. */
import type { Faults } from "@vigil/sandbox"

/** The rows of the list of faults that a single request can meet. */
export const rows: ReadonlySet<number> = new Set([21, 22, 23, 24, 25, 26, 27, 29, 30, 42, 44, 45, 53, 56])

/** Those that no fault with a name covers: `rows.test.ts` has them. */
export const scripted: ReadonlyArray<number> = [53]

type Kind = "user" | "removeUser" | "request"
type Expected = readonly [ends: string, requests: number, says?: RegExp]

/** The same for every call; or by kind: `user` is a GET, `removeUser` may be repeated, `request` is a POST, which may not. */
type ByKind = Expected | Readonly<Record<Kind, Expected>>

const once = (ends: string, says?: RegExp): Expected => (says === undefined ? [ends, 1] : [ends, 1, says])
const done = (requests: number): Expected => ["done", requests]

/** Sent until the retries are used up, but for what may not be repeated. */
const often = (ends: string): ByKind => ({ user: [ends, 4], removeUser: [ends, 4], request: [ends, 1] })
/** Sent again, and answered. */
const mended = (ends: string): ByKind => ({ user: done(2), removeUser: done(2), request: [ends, 1] })
/** Followed by a GET; what changes something goes nowhere but where it was sent. */
const followed = (user: Expected): ByKind => ({
  user,
  removeUser: ["RedirectRefused", 1, /would repeat a request that changes data/],
  request: ["RedirectRefused", 1, /would repeat a request that changes data/],
})
const away = once("RedirectRefused", /redirect that leads to another origin/)

const notFound: ByKind = { user: ["NotFound", 1], removeUser: ["AppOrUserNotFound", 1], request: ["NotFound", 1] }

const table: Partial<Readonly<Record<Faults.Name, ByKind>>> = {
  "redirect-301-other-origin": away,
  "redirect-302-other-origin": away,
  "redirect-303-other-origin": away,
  "redirect-307-other-origin": away,
  "redirect-308-other-origin": away,
  "redirect-http": away,
  "redirect-protocol-relative": away,
  "redirect-303": followed(done(2)),
  "redirect-loop": followed(["RedirectRefused", 6, /exceeds the redirect limit/]),
  "redirect-malformed": once("RedirectRefused"),
  "redirect-file": once("RedirectRefused"),
  "redirect-nowhere": once("RedirectRefused"),
  "redirect-same-origin": followed(done(2)),
  "redirect-same-origin-307": followed(done(2)),
  "redirect-chain": followed(["RedirectRefused", 6, /exceeds the redirect limit/]),
  "connection-refused": ["TransportError", 0, /refused \(ECONNREFUSED\)/],
  "tls-untrusted": ["TransportError", 0, /its certificate is invalid/],
  "reset-before-headers": often("TransportError"),
  "reset-before-headers-once": mended("TransportError"),
  "close-before-headers": often("TransportError"),
  "reset-in-body": often("TransportError"),
  "reset-in-body-once": mended("TransportError"),
  "short-body": often("TransportError"),
  silent: often("TimeoutError"),
  "silent-in-headers": often("TimeoutError"),
  "silent-in-body": often("TimeoutError"),
  "too-large-chunked": once("BodyTooLarge", /33554432 bytes/),
  "too-large-declared": once("BodyTooLarge"),
  "error-too-large": once("ServiceError", /responded 400\./),
  "retry-after-seconds": once("RateLimited", /Try again in 2s/),
  "retry-after-zero": done(2),
  "retry-after-date": once("RateLimited", /Try again in/),
  "retry-after-past": done(2),
  "retry-after-negative": done(2),
  "retry-after-text": done(2),
  "retry-after-ten-years": once("RateLimited", /Try again in 3650d/),
  "retry-after-absent": done(2),
  "retry-after-503": once("ServiceError", /503/),
  "retry-after-503-absent": mended("ServiceError"),
  "status-429": ["RateLimited", 4],
  "status-500": often("ServiceError"),
  "status-503": often("ServiceError"),
  "status-403": once("Forbidden"),
  "status-404": notFound,
  "status-411": once("LengthRequired", /an empty one is \{\}/),
  "status-412": once("ServiceError"),
  "status-418": once("ServiceError"),
  "status-501": once("ServiceError"),
  "status-505": once("ServiceError"),
  "error-flat": once("ServiceError", /InvalidODataQueryOptions: The query is not valid\./),
  "error-nested": once("ServiceError", /MissingSubscriptionRegistration: Not registered\./),
  "error-integer-code": once("ServiceError", /responded 400 4001: No\./),
  "error-html": notFound,
  "error-empty": once("Forbidden", /responded 403\./),
  "error-5-mb": once("ServiceError", /responded 400/),
  "error-without-end": once("Forbidden"),
  // A token that is not had from a vault is the same the second time.
  "error-echo": once("Unauthorized", /<redacted>/),
}

const isSame = (byKind: ByKind): byKind is Expected => Array.isArray(byKind)

/** What is to become of this call under this fault. */
export const expected = (name: Faults.Name, kind: Kind): Expected => {
  const byKind = table[name]
  if (byKind === undefined) return ["no expectation", -1]
  return isSame(byKind) ? byKind : byKind[kind]
}

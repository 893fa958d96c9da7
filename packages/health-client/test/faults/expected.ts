/** What becomes of a list under each fault that it can meet: what is delivered, how it ends, and how often the service is asked. */
import type { Listing } from "@vigil/health-client"
import type { Faults } from "@vigil/sandbox"
import * as Arr from "effect/Array"

/** The rows of the list of faults that a list can meet. */
export const rows: ReadonlyArray<number> = [Arr.range(1, 20), Arr.range(28, 36), [42, 43, 45, 49, 50]].flat()

/** The faults of the other rows. What has another name needs an expectation, or this does not compile. */
type OfOtherRows =
  // 21–27: redirects, and connections that are not made or break.
  | Extract<Faults.Name, `redirect-${string}` | `reset-${string}`>
  | "connection-refused"
  | "tls-untrusted"
  | "close-before-headers"
  | "short-body"
  // 37–41: odd JSON.
  | "bom"
  | "invalid-utf-8"
  | "deep-json"
  | "proto-keys"
  | "odd-numbers"
  // 44: statuses that are final.
  | `status-${411 | 412 | 418 | 501 | 505}`
  // 46–48, 51, 52: odd values.
  | "odd-dates"
  | "invalid-dates"
  | "odd-mitigation"
  | "unknown-enums"
  | "hostile-text"
  | "formula-text"
  // 56: the secret.
  | "error-echo"

/** The name of a fault of `rows`. */
export type Name = Exclude<Faults.Name, OfOtherRows>

/** The origins of the service, and of the server that nothing may reach. */
interface Origins {
  readonly own: string
  readonly foreign: string
}

/** What is expected of a list. */
export interface Expected {
  /** The names of the events, in order; of a list that repeats itself, those up to there. */
  readonly delivered: ReadonlyArray<string>
  /** What of the events must be as it was sent. */
  readonly events?: ReadonlyArray<object>
  /** The tag of the error, or `end`. */
  readonly ends: Listing.ListError["_tag"] | "end"
  /** How many requests the service receives; none is said where only a bound is known. */
  readonly requests?: number
  /** What the error holds. */
  readonly holds?: (origins: Origins) => object
  /** What its message says. */
  readonly says?: RegExp
  /** The seconds that the error asks to wait. */
  readonly retryAfter?: number
  /** What the second request asks for, byte for byte. */
  readonly second?: string | RegExp
}

/** What fails at once; what fails after every retry. */
const once = (ends: Expected["ends"], says?: RegExp): Expected => ({
  delivered: [],
  ends,
  requests: 1,
  ...(says === undefined ? {} : { says }),
})
const often = (ends: Expected["ends"], says?: RegExp): Expected => ({ ...once(ends, says), requests: 4 })

/** A list of two pages that is delivered whole, its second page asked for like this. */
const whole = (second: string | RegExp): Expected => ({
  delivered: ["FIRST", "LAST"],
  ends: "end",
  requests: 2,
  second,
})

/** One page, after so many requests. */
const page = (requests = 1): Expected => ({ delivered: ["LAST"], ends: "end", requests })

const onlyFirst: Expected = { delivered: ["FIRST"], ends: "end", requests: 1 }

/** A link that is not followed, once its page is out. */
const refused = (reason: string, target: (origins: Origins) => string | undefined = () => undefined): Expected => ({
  ...onlyFirst,
  ends: "LinkRefused",
  holds: (origins) => ({ reason, origin: origins.own, target: target(origins) }),
})

/** A list that repeats itself after these positions. */
const loop = (positions: number): Expected => ({
  delivered: Arr.makeBy(positions, (position) => `EVENT-${position}`),
  ends: "PageLoop",
})

/** An answer that says no: its status, and the service's own words. */
const answer = (
  ends: Expected["ends"],
  status: number,
  { code, detail }: { readonly code?: unknown; readonly detail?: unknown } = {},
): Expected => ({ ...once(ends), holds: () => ({ status, code, detail }) })

/** One that is given up at once, because the service asks for more patience than there is. */
const impatient = (ends: Expected["ends"], retryAfter: number, says: RegExp): Expected => ({
  ...once(ends, says),
  retryAfter,
})

const among = (...odd: ReadonlyArray<string>): Expected => ({
  delivered: ["BEFORE", ...odd, "AFTER"],
  ends: "end",
  requests: 1,
})

/** What the list of a subscription comes to, by fault. */
export const expected: Readonly<Record<Name, Expected>> = {
  "next-link-other-host": refused("origin", ({ foreign }) => foreign.replace("127.0.0.1", "localhost")),
  "next-link-other-port": refused("origin", ({ foreign }) => foreign),
  "next-link-http": refused("origin", ({ own }) => own.replace("https", "http")),
  "next-link-userinfo": refused("userinfo"),
  // By the URL standard a path of the service's own.
  "next-link-at-sign": whole(/^\/subscriptions\/.*\/@127\.0\.0\.1:\d+\/page\?\$skipToken=2$/),
  "next-link-protocol-relative": refused("origin", ({ foreign }) => foreign),
  "next-link-backslashes": refused("origin", ({ foreign }) => foreign),
  "next-link": whole("/second?api-version=2025-05-01&$skipToken=2"),
  "next-link-relative": whole("/second?api-version=2025-05-01&$skipToken=2"),
  "next-link-query-only": whole("/subscriptions/s1/providers/Vendor.ResourceHealth/events?$skipToken=2"),
  "next-link-empty": onlyFirst,
  "next-link-null": onlyFirst,
  "next-link-blank": onlyFirst,
  "next-link-loop-self": { delivered: ["SAME"], ends: "PageLoop", requests: 1, holds: () => ({ pages: 1 }) },
  "next-link-loop-two": loop(3),
  "next-link-loop-long": loop(11),
  "next-link-loop-late": loop(9),
  "endless-links": {
    delivered: Arr.makeBy(50, (position) => `EVENT-${position}`),
    ends: "PageLimit",
    requests: 50,
    holds: () => ({ limit: "maxPages", allowed: 50 }),
  },
  "next-link-long": whole(`/second?api-version=2025-05-01&$skipToken=2${"x".repeat(9_000)}`),
  "next-link-too-long": {
    ...answer("ServiceError", 414, { code: "UriTooLong", detail: "The URL is too long." }),
    delivered: ["FIRST"],
    requests: 2,
  },
  "next-link-malformed": refused("malformed"),
  "next-link-file": refused("scheme"),
  "next-link-javascript": refused("scheme"),
  "next-link-data": refused("scheme"),
  "next-link-host-in-hex": whole("/second?$skipToken=2"),
  "next-link-trailing-dot": whole("/second?$skipToken=2"),
  "next-link-upper-case": whole("/second?$skipToken=2"),
  "next-link-odd-bytes": whole("/second/a%2Fb?$filter=a%2Bb%20c+d&e=%e2%82%ac?$skipToken=a$b%3D"),
  "next-link-illegal-bytes": whole("/second?$filter=name%20eq%20%27Z%C3%BCrich%27&$skipToken=2"),
  "next-link-api-version": whole("/second?api-version=2025-04-01&$skipToken=2"),
  "empty-page-with-link": page(2),
  "last-page-502": {
    ...answer("ServiceError", 502, { code: "BadGateway", detail: "Bad gateway." }),
    delivered: ["FIRST"],
    requests: 5,
  },
  "last-page-502-once": { ...whole("/second?api-version=2025-05-01&$skipToken=2"), requests: 3 },
  drip: often("TimeoutError", /no complete response .* within 150ms/),
  silent: often("TimeoutError"),
  "silent-in-headers": often("TimeoutError"),
  "silent-in-body": often("TimeoutError"),
  "too-large-chunked": once("BodyTooLarge", /33554432 bytes/),
  "too-large-declared": once("BodyTooLarge", /33554432 bytes/),
  "error-too-large": answer("ServiceError", 400),
  "gzip-bomb": once("BodyTooLarge", /33554432 bytes/),
  "gzip-bomb-twice": once("BodyTooLarge", /33554432 bytes/),
  gzip: page(),
  "gzip-twice": page(),
  "gzip-cut": once("DecodeError", /cannot be decompressed/),
  // A body that is not compressed is read as it is.
  "gzip-broken": page(),
  "unknown-encoding": page(),
  "page-of-20-mb": {
    delivered: Arr.makeBy(20, (n) => `LARGE-${n}`),
    events: Arr.makeBy(20, () => ({ properties: { summary: "x".repeat(1_000_000) } })),
    ends: "end",
    requests: 1,
  },
  "html-200": once("DecodeError", /is not JSON/),
  "json-array": once("DecodeError"),
  "json-number": once("DecodeError"),
  "json-string": once("DecodeError"),
  "json-null": once("DecodeError"),
  "value-not-an-array": once("DecodeError", /value expected an array, got an object/),
  "value-absent": once("DecodeError", /: value is missing/),
  "error-200": once("DecodeError", /: value is missing/),
  "empty-200": once("DecodeError"),
  "status-202": answer("ServiceError", 202),
  "status-204": answer("ServiceError", 204),
  "status-206": answer("ServiceError", 206),
  "retry-after-seconds": impatient("RateLimited", 2, /Try again in 2s/),
  "retry-after-zero": page(2),
  "retry-after-date": impatient("RateLimited", 2, /Try again in 2s/),
  "retry-after-past": page(2),
  "retry-after-negative": page(2),
  "retry-after-text": page(2),
  "retry-after-ten-years": impatient("RateLimited", 315_360_000, /Try again in 3650d/),
  "retry-after-absent": page(2),
  "retry-after-503": impatient("ServiceError", 2, /503 ServiceUnavailable: Slow down/),
  "retry-after-503-absent": page(2),
  "status-429": often("RateLimited"),
  "status-500": often("ServiceError", /500 Status500: This is status 500/),
  "status-503": often("ServiceError", /503 Status503: This is status 503/),
  "token-expires-mid-list": { ...whole("/second?api-version=2025-05-01&$skipToken=2"), requests: 3 },
  "token-refused-mid-list": {
    ...answer("Unauthorized", 401, { code: "ExpiredAuthenticationToken", detail: "The token has expired." }),
    delivered: ["FIRST"],
    requests: 3,
  },
  "status-401": { ...answer("Unauthorized", 401, { code: "Status401", detail: "This is status 401." }), requests: 2 },
  "status-403": answer("Forbidden", 403, { code: "Status403", detail: "This is status 403." }),
  "status-404": answer("NotFound", 404, { code: "Status404", detail: "This is status 404." }),
  "error-flat": answer("ServiceError", 400, { code: "InvalidODataQueryOptions", detail: "The query is not valid." }),
  "error-nested": answer("ServiceError", 409, { code: "MissingSubscriptionRegistration", detail: "Not registered." }),
  "error-integer-code": answer("ServiceError", 400, { code: "4001", detail: "No." }),
  "error-html": answer("NotFound", 404),
  "error-empty": answer("Forbidden", 403),
  "error-5-mb": answer("ServiceError", 400),
  "error-without-end": answer("Forbidden", 403),
  nulls: {
    ...among("ODD-0", "ODD-1"),
    events: [{}, { id: null, properties: { status: null, priority: null, impact: null } }, { properties: null }, {}],
  },
  "properties-absent": { ...among("ODD"), events: [{}, { id: "/events/ODD", name: "ODD" }, {}] },
  "not-an-event": {
    delivered: ["BEFORE"],
    ends: "InvalidEvent",
    requests: 1,
    holds: () => ({ index: 1, path: "", raw: 42 }),
  },
  "same-id-twice": { delivered: ["SAME", "SAME"], ends: "end", requests: 2 },
}

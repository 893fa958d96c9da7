/** The expected events, outcome and number of requests of a list, for each fault. */
import type { Listing } from "@vigil/health-client"
import type { Faults } from "@vigil/sandbox"
import * as Arr from "effect/Array"

/** The rows of the fault list that apply to a list of events. */
export const rows: ReadonlyArray<number> = [Arr.range(1, 20), Arr.range(28, 36), [42, 43, 45, 49, 50]].flat()

/** The faults of other rows. Every other fault needs an expectation to compile. */
type NameOfOtherRow =
  // 21–27: redirects and connection errors.
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
  // 44: status codes that are not retried.
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
export type Name = Exclude<Faults.Name, NameOfOtherRow>

/** The origins of the service, and of a server that must receive no request. */
interface Origins {
  readonly own: string
  readonly foreign: string
}

/** The expected result of a list. */
export interface Expected {
  /** The names of the events, in order. For a loop, those before the first repetition. */
  readonly delivered: ReadonlyArray<string>
  /** Fields of the events, as the service sent them. */
  readonly events?: ReadonlyArray<object>
  /** The tag of the error, or `end`. */
  readonly outcome: Listing.ListError["_tag"] | "end"
  /** The number of requests; omitted if only an upper bound is known. */
  readonly requests?: number
  /** Fields of the error. */
  readonly fields?: (origins: Origins) => object
  /** A pattern of its message. */
  readonly message?: RegExp
  /** The `retryAfter` of the error, in seconds. */
  readonly retryAfter?: number
  /** The exact target of the second request. */
  readonly second?: string | RegExp
}

/** Fails without a retry. */
const atOnce = (outcome: Expected["outcome"], message?: RegExp): Expected => ({
  delivered: [],
  outcome,
  requests: 1,
  ...(message === undefined ? {} : { message }),
})

/** Fails after all retries. */
const afterRetries = (outcome: Expected["outcome"], message?: RegExp): Expected => ({
  ...atOnce(outcome, message),
  requests: 4,
})

/** Two pages, the second requested with this target. */
const twoPages = (second: string | RegExp): Expected => ({
  delivered: ["FIRST", "LAST"],
  outcome: "end",
  requests: 2,
  second,
})

/** One page, after this number of requests. */
const onePage = (requests = 1): Expected => ({ delivered: ["LAST"], outcome: "end", requests })

const onlyFirst: Expected = { delivered: ["FIRST"], outcome: "end", requests: 1 }

/** One page, and a link that is refused. */
const refused = (reason: string, target: (origins: Origins) => string | undefined = () => undefined): Expected => ({
  ...onlyFirst,
  outcome: "LinkRefused",
  fields: (origins) => ({ reason, origin: origins.own, target: target(origins) }),
})

/** A list with a loop after this number of events. */
const loop = (positions: number): Expected => ({
  delivered: Arr.makeBy(positions, (position) => `EVENT-${position}`),
  outcome: "PageLoop",
})

/** An error response with this status, error code and detail. */
const errorResponse = (
  outcome: Expected["outcome"],
  status: number,
  { code, detail }: { readonly code?: unknown; readonly detail?: unknown } = {},
): Expected => ({ ...atOnce(outcome), fields: () => ({ status, code, detail }) })

/** Fails without a retry, because Retry-After exceeds the maximum of the policy. */
const longRetryAfter = (outcome: Expected["outcome"], retryAfter: number, message: RegExp): Expected => ({
  ...atOnce(outcome, message),
  retryAfter,
})

const withOddEvents = (...odd: ReadonlyArray<string>): Expected => ({
  delivered: ["BEFORE", ...odd, "AFTER"],
  outcome: "end",
  requests: 1,
})

/** The expected result of `listBySubscription`, by fault. */
export const expected: Readonly<Record<Name, Expected>> = {
  "next-link-other-host": refused("origin", ({ foreign }) => foreign.replace("127.0.0.1", "localhost")),
  "next-link-other-port": refused("origin", ({ foreign }) => foreign),
  "next-link-http": refused("origin", ({ own }) => own.replace("https", "http")),
  "next-link-userinfo": refused("userinfo"),
  // By the URL standard, a path on the same origin.
  "next-link-at-sign": twoPages(/^\/subscriptions\/.*\/@127\.0\.0\.1:\d+\/page\?\$skipToken=2$/),
  "next-link-protocol-relative": refused("origin", ({ foreign }) => foreign),
  "next-link-backslashes": refused("origin", ({ foreign }) => foreign),
  "next-link": twoPages("/second?api-version=2025-05-01&$skipToken=2"),
  "next-link-relative": twoPages("/second?api-version=2025-05-01&$skipToken=2"),
  "next-link-query-only": twoPages("/subscriptions/s1/providers/Vendor.ResourceHealth/events?$skipToken=2"),
  "next-link-empty": onlyFirst,
  "next-link-null": onlyFirst,
  "next-link-blank": onlyFirst,
  "next-link-loop-self": { delivered: ["SAME"], outcome: "PageLoop", requests: 1, fields: () => ({ pages: 1 }) },
  "next-link-loop-two": loop(3),
  "next-link-loop-long": loop(11),
  "next-link-loop-late": loop(9),
  "endless-links": {
    delivered: Arr.makeBy(50, (position) => `EVENT-${position}`),
    outcome: "PageLimit",
    requests: 50,
    fields: () => ({ allowed: 50 }),
  },
  "next-link-long": twoPages(`/second?api-version=2025-05-01&$skipToken=2${"x".repeat(9_000)}`),
  "next-link-too-long": {
    ...errorResponse("ServiceError", 414, { code: "UriTooLong", detail: "The URL is too long." }),
    delivered: ["FIRST"],
    requests: 2,
  },
  "next-link-malformed": refused("malformed"),
  "next-link-file": refused("scheme"),
  "next-link-javascript": refused("scheme"),
  "next-link-data": refused("scheme"),
  "next-link-host-in-hex": twoPages("/second?$skipToken=2"),
  "next-link-trailing-dot": twoPages("/second?$skipToken=2"),
  "next-link-upper-case": twoPages("/second?$skipToken=2"),
  "next-link-odd-bytes": twoPages("/second/a%2Fb?$filter=a%2Bb%20c+d&e=%e2%82%ac?$skipToken=a$b%3D"),
  "next-link-illegal-bytes": twoPages("/second?$filter=name%20eq%20%27Z%C3%BCrich%27&$skipToken=2"),
  "next-link-api-version": twoPages("/second?api-version=2025-04-01&$skipToken=2"),
  "empty-page-with-link": onePage(2),
  "last-page-502": {
    ...errorResponse("ServiceError", 502, { code: "BadGateway", detail: "Bad gateway." }),
    delivered: ["FIRST"],
    requests: 5,
  },
  "last-page-502-once": { ...twoPages("/second?api-version=2025-05-01&$skipToken=2"), requests: 3 },
  drip: afterRetries("TimeoutError", /no complete response .* within 400ms/),
  silent: afterRetries("TimeoutError"),
  "silent-in-headers": afterRetries("TimeoutError"),
  "silent-in-body": afterRetries("TimeoutError"),
  "too-large-chunked": atOnce("BodyTooLarge", /33554432 bytes/),
  "too-large-declared": atOnce("BodyTooLarge", /33554432 bytes/),
  "error-too-large": errorResponse("ServiceError", 400),
  "gzip-bomb": atOnce("BodyTooLarge", /33554432 bytes/),
  "gzip-bomb-twice": atOnce("BodyTooLarge", /33554432 bytes/),
  gzip: onePage(),
  "gzip-twice": onePage(),
  "gzip-cut": atOnce("DecodeError", /cannot be decompressed/),
  // An uncompressed body is read unchanged.
  "gzip-broken": onePage(),
  "unknown-encoding": onePage(),
  "page-of-20-mb": {
    delivered: Arr.makeBy(20, (n) => `LARGE-${n}`),
    events: Arr.makeBy(20, () => ({ properties: { summary: "x".repeat(1_000_000) } })),
    outcome: "end",
    requests: 1,
  },
  "html-200": atOnce("DecodeError", /is not JSON/),
  "json-array": atOnce("DecodeError"),
  "json-number": atOnce("DecodeError"),
  "json-string": atOnce("DecodeError"),
  "json-null": atOnce("DecodeError"),
  "value-not-an-array": atOnce("DecodeError", /value must be an array, not an object/),
  "value-absent": atOnce("DecodeError", /: value is missing/),
  "error-200": atOnce("DecodeError", /: value is missing/),
  "empty-200": atOnce("DecodeError"),
  "status-202": errorResponse("ServiceError", 202),
  "status-204": errorResponse("ServiceError", 204),
  "status-206": errorResponse("ServiceError", 206),
  "retry-after-seconds": longRetryAfter("RateLimited", 2, /Try again in 2s/),
  "retry-after-zero": onePage(2),
  "retry-after-date": longRetryAfter("RateLimited", 2, /Try again in 2s/),
  "retry-after-past": onePage(2),
  "retry-after-negative": onePage(2),
  "retry-after-text": onePage(2),
  "retry-after-ten-years": longRetryAfter("RateLimited", 315_360_000, /Try again in 3650d/),
  "retry-after-absent": onePage(2),
  "retry-after-503": longRetryAfter("ServiceError", 2, /503 ServiceUnavailable: Slow down/),
  "retry-after-503-absent": onePage(2),
  "status-429": afterRetries("RateLimited"),
  "status-500": afterRetries("ServiceError", /500 Status500: This is status 500/),
  "status-503": afterRetries("ServiceError", /503 Status503: This is status 503/),
  "token-expires-mid-list": { ...twoPages("/second?api-version=2025-05-01&$skipToken=2"), requests: 3 },
  "token-refused-mid-list": {
    ...errorResponse("Unauthorized", 401, { code: "ExpiredAuthenticationToken", detail: "The token has expired." }),
    delivered: ["FIRST"],
    requests: 3,
  },
  "status-401": {
    ...errorResponse("Unauthorized", 401, { code: "Status401", detail: "This is status 401." }),
    requests: 2,
  },
  "status-403": errorResponse("Forbidden", 403, { code: "Status403", detail: "This is status 403." }),
  "status-404": errorResponse("NotFound", 404, { code: "Status404", detail: "This is status 404." }),
  "error-flat": errorResponse("ServiceError", 400, {
    code: "InvalidODataQueryOptions",
    detail: "The query is not valid.",
  }),
  "error-nested": errorResponse("ServiceError", 409, {
    code: "MissingSubscriptionRegistration",
    detail: "Not registered.",
  }),
  "error-integer-code": errorResponse("ServiceError", 400, { code: "4001", detail: "No." }),
  "error-html": errorResponse("NotFound", 404),
  "error-empty": errorResponse("Forbidden", 403),
  "error-5-mb": errorResponse("ServiceError", 400),
  "error-without-end": errorResponse("Forbidden", 403),
  nulls: {
    ...withOddEvents("ODD-0", "ODD-1"),
    events: [{}, { id: null, properties: { status: null, priority: null, impact: null } }, { properties: null }, {}],
  },
  "properties-absent": { ...withOddEvents("ODD"), events: [{}, { id: "/events/ODD", name: "ODD" }, {}] },
  "not-an-event": {
    delivered: ["BEFORE"],
    outcome: "InvalidEvent",
    requests: 1,
    fields: () => ({ index: 1, path: "", raw: 42 }),
  },
  "same-id-twice": { delivered: ["SAME", "SAME"], outcome: "end", requests: 2 },
}

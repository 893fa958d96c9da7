/** The expected items, outcome and number of requests of a list, for each fault. */
import type { Faults } from "@vigil/sandbox"
import type * as HttpStack from "@vigil/testing/HttpStack"

/** `outcome` is the tag of the reason or error, or `end`. Other tests check the items of endless lists. */
interface Expected {
  readonly delivered: string | undefined
  readonly outcome: string
  readonly requests: number | undefined
  readonly message: RegExp | undefined
}

const expectation = (
  delivered: string | undefined,
  outcome: string,
  requests?: number,
  message?: RegExp,
): Expected => ({ delivered, outcome, requests, message })

/** The same expectation for several faults. */
const same = <Name extends Faults.Name>(expected: Expected, ...names: ReadonlyArray<Name>) =>
  // Safe, because these are exactly the keys.
  Object.fromEntries(names.map((name) => [name, expected])) as Readonly<Record<Name, Expected>>

/** Fails without a retry; fails after every retry; delivers every page. */
const atOnce = (outcome: string, message?: RegExp) => expectation("", outcome, 1, message)
const afterRetries = (outcome: string, message?: RegExp) => expectation("", outcome, 4, message)
const twoPages = expectation("FIRST LAST", "end", 2)
const onePage = expectation("LAST", "end", 1)
const secondRequest = expectation("LAST", "end", 2)
const refused = (message: RegExp) => expectation("FIRST", "Link", 1, message)
const odd = (count: number) =>
  expectation(`BEFORE ${Array.from({ length: count }, (_, n) => `ODD-${n} `).join("")}AFTER`, "end", 1)

/** One expectation, or one per HTTP stack. */
export type ByStack = Expected | Readonly<Record<HttpStack.Name, Expected>>

/** Without the faults of the terminal and of spreadsheets (rows 51 and 52), which the CLI tests cover. */
export const expected: Readonly<Record<Exclude<Faults.Name, "hostile-text" | "formula-text">, ByStack>> = {
  "next-link-other-host": refused(
    /leads to another origin: http:\/\/localhost:\d+ instead of http:\/\/127\.0\.0\.1:\d+/,
  ),
  ...same(refused(/another origin/), "next-link-other-port", "next-link-protocol-relative", "next-link-backslashes"),
  "next-link-http": refused(/another origin: http:/),
  "next-link-userinfo": refused(/a user name or a password/),
  "next-link-malformed": refused(/is invalid/),
  ...same(refused(/not http or https/), "next-link-file", "next-link-javascript", "next-link-data"),
  ...same(
    twoPages,
    "next-link",
    "next-link-relative",
    "next-link-query-only",
    "next-link-long",
    "next-link-api-version",
  ),
  ...same(twoPages, "next-link-host-in-hex", "next-link-trailing-dot", "next-link-upper-case"),
  // "@" begins a path on the same origin, by the URL standard.
  ...same(twoPages, "next-link-at-sign", "next-link-odd-bytes", "next-link-illegal-bytes"),
  ...same(expectation("FIRST", "end", 1), "next-link-empty", "next-link-null", "next-link-blank"),
  "next-link-loop-self": expectation("SAME", "PageLoop", 1),
  "next-link-loop-two": expectation("EVENT-0 EVENT-1 EVENT-2 EVENT-1", "PageLoop"),
  ...same(expectation(undefined, "PageLoop"), "next-link-loop-long", "next-link-loop-late"),
  // A client decides which links lead to one page.
  ...same(expectation(undefined, "PageLimit", 50), "next-link-loop-fragment", "next-link-loop-spelling"),
  "endless-links": expectation(undefined, "PageLimit", 50),
  "next-link-too-long": expectation("FIRST", "ServiceFailure", 2, /414 UriTooLong/),
  "empty-page-with-link": secondRequest,
  "last-page-502": expectation("FIRST", "ServiceFailure", 5, /502 BadGateway: Bad gateway/),
  "last-page-502-once": expectation("FIRST LAST", "end", 3),
  ...same(
    atOnce("Redirect", /redirect that leads to another origin \(http:/),
    ...(["redirect-301-other-origin", "redirect-302-other-origin", "redirect-303-other-origin"] as const),
    ...(["redirect-307-other-origin", "redirect-308-other-origin", "redirect-http"] as const),
    "redirect-protocol-relative",
  ),
  ...same(secondRequest, "redirect-303", "redirect-same-origin", "redirect-same-origin-307"),
  ...same(expectation("", "Redirect", 6, /exceeds the redirect limit/), "redirect-loop", "redirect-chain"),
  ...same(atOnce("Redirect", /is invalid/), "redirect-malformed", "redirect-nowhere"),
  "redirect-file": atOnce("Redirect", /not http or https/),
  "connection-refused": expectation("", "Transport", 0, /refused \(ECONNREFUSED\)/),
  "tls-untrusted": expectation("", "Transport", 0, /certificate/),
  ...same(afterRetries("Transport"), "reset-before-headers", "close-before-headers", "reset-in-body", "short-body"),
  ...same(secondRequest, "reset-before-headers-once", "reset-in-body-once"),
  // On a slow machine, an attempt may time out before the server gets its request.
  drip: expectation("", "Timeout", undefined, /no complete response within 400ms/),
  ...same(expectation("", "Timeout"), "silent", "silent-in-headers", "silent-in-body"),
  "too-large-chunked": atOnce("BodyTooLarge", /33554432 bytes/),
  ...same(atOnce("BodyTooLarge"), "too-large-declared", "gzip-bomb", "gzip-bomb-twice"),
  "error-too-large": atOnce("ServiceFailure", /responded 400\./),
  ...same(onePage, "gzip", "gzip-twice", "gzip-members", "deflate-raw", "unknown-encoding", "bom"),
  // Node's fetch returns the part that it could decompress.
  "gzip-cut": {
    fetch: atOnce("Decode", /is not JSON/),
    node: atOnce("Decode", /cannot be decompressed/),
    undici: atOnce("Decode", /cannot be decompressed/),
  },
  // These stacks return a body unchanged if it is not compressed.
  "gzip-broken": { fetch: afterRetries("Transport"), node: onePage, undici: onePage },
  "page-of-20-mb": expectation(Array.from({ length: 20 }, (_, n) => `LARGE-${n}`).join(" "), "end", 1),
  "html-200": atOnce("Decode", /List\.read: .* is not JSON/),
  ...same(atOnce("Decode"), "json-array", "json-number", "json-string", "json-null", "empty-200"),
  "error-200": atOnce("Decode", /a success status with the error InternalServerError: It went wrong\./),
  // A decoder decides whether it reads such a page.
  "error-beside-value": onePage,
  "value-not-an-array": atOnce("Decode", /value does not match array/),
  "value-absent": atOnce("Decode", /value/),
  "status-202": atOnce("ServiceFailure", /202/),
  "status-204": atOnce("ServiceFailure", /204/),
  "status-206": atOnce("ServiceFailure", /206/),
  ...same(expectation("ODD", "end", 1), "invalid-utf-8", "deep-json", "proto-keys", "odd-numbers"),
  "retry-after-seconds": atOnce("RateLimited", /Try again in 2s/),
  "retry-after-date": atOnce("RateLimited", /Try again in/),
  "retry-after-ten-years": atOnce("RateLimited", /Try again in over a year/),
  "retry-after-503": atOnce("ServiceFailure", /503/),
  ...same(secondRequest, "retry-after-zero", "retry-after-past", "retry-after-negative", "retry-after-text"),
  ...same(secondRequest, "retry-after-absent", "retry-after-503-absent"),
  "status-429": afterRetries("RateLimited"),
  ...same(afterRetries("ServiceFailure"), "status-500", "status-503"),
  "token-expires-mid-list": expectation("FIRST LAST", "end", 3),
  "token-refused-mid-list": expectation("FIRST", "Unauthorized", 3),
  "status-401": expectation("", "Unauthorized", 2),
  "error-echo": expectation("", "Unauthorized", 2, /<redacted>/),
  ...same(atOnce("Forbidden"), "status-403", "error-empty", "error-without-end"),
  ...same(atOnce("NotFound"), "status-404", "error-html"),
  ...same(atOnce("ServiceFailure"), "status-411", "status-412", "status-418", "status-501", "status-505", "error-5-mb"),
  "error-flat": atOnce("ServiceFailure", /InvalidODataQueryOptions: The query is not valid\./),
  "error-nested": atOnce("ServiceFailure", /MissingSubscriptionRegistration: Not registered\./),
  "error-integer-code": atOnce("ServiceFailure", /responded 400 4001: No\./),
  "odd-dates": odd(5),
  ...same(odd(2), "invalid-dates", "odd-mitigation", "unknown-enums", "nulls", "odd-statuses", "invalid-statuses"),
  "properties-absent": expectation("BEFORE ODD AFTER", "end", 1),
  "not-an-event": expectation('BEFORE 42 "x" null [] AFTER', "end", 1),
  "same-id-twice": expectation("SAME SAME", "end", 2),
}

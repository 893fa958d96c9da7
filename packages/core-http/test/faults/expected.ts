/** The expected items, outcome and number of requests of a list, for each fault. */
import type { Faults } from "@vigil/sandbox"
import type * as HttpStack from "@vigil/testing/HttpStack"

/** `outcome` is the tag of the reason or error, or `end`. Other tests check the items of endless lists. */
interface Expected {
  readonly delivered?: string
  readonly outcome: string
  readonly requests?: number
  readonly message?: RegExp
}

const expectation = (
  delivered: string | undefined,
  outcome: string,
  requests?: number,
  message?: RegExp,
): Expected => ({
  outcome,
  ...(delivered === undefined ? {} : { delivered }),
  ...(requests === undefined ? {} : { requests }),
  ...(message === undefined ? {} : { message }),
})

/** Fails without a retry; fails after every retry; delivers every page. */
const atOnce = (outcome: string, message?: RegExp) => expectation("", outcome, 1, message)
const afterRetries = (outcome: string, message?: RegExp) => expectation("", outcome, 4, message)
const twoPages = expectation("FIRST LAST", "end", 2)
const onePage = expectation("LAST", "end", 1)
const refused = (message: RegExp) => expectation("FIRST", "Link", 1, message)
const withOddItems = (...odd: ReadonlyArray<string>) => expectation(["BEFORE", ...odd, "AFTER"].join(" "), "end", 1)

/** One expectation, or one per HTTP stack. */
export type ByStack = Expected | Readonly<Record<HttpStack.Name, Expected>>

/** Without the faults of the terminal and of spreadsheets (rows 51 and 52), which the CLI tests cover. */
export const expected: Readonly<Record<Exclude<Faults.Name, "hostile-text" | "formula-text">, ByStack>> = {
  "next-link-other-host": refused(
    /leads to another origin: http:\/\/localhost:\d+ instead of http:\/\/127\.0\.0\.1:\d+/,
  ),
  "next-link-other-port": refused(/another origin/),
  "next-link-http": refused(/another origin: http:/),
  "next-link-userinfo": refused(/a user name or a password/),
  // By the URL standard, a path on the same origin.
  "next-link-at-sign": twoPages,
  "next-link-protocol-relative": refused(/another origin/),
  "next-link-backslashes": refused(/another origin/),
  "next-link-malformed": refused(/not a valid URL/),
  "next-link-file": refused(/not http or https/),
  "next-link-javascript": refused(/not http or https/),
  "next-link-data": refused(/not http or https/),
  "next-link": twoPages,
  "next-link-relative": twoPages,
  "next-link-query-only": twoPages,
  "next-link-empty": expectation("FIRST", "end", 1),
  "next-link-null": expectation("FIRST", "end", 1),
  "next-link-blank": expectation("FIRST", "end", 1),
  "next-link-loop-self": expectation("SAME", "PageLoop", 1),
  "next-link-loop-two": expectation("EVENT-0 EVENT-1 EVENT-2 EVENT-1", "PageLoop"),
  "next-link-loop-long": expectation(undefined, "PageLoop"),
  "next-link-loop-late": expectation(undefined, "PageLoop"),
  "endless-links": expectation(undefined, "PageLimit", 50),
  "next-link-long": twoPages,
  "next-link-too-long": expectation("FIRST", "ServiceFailure", 2, /414 UriTooLong/),
  "next-link-host-in-hex": twoPages,
  "next-link-trailing-dot": twoPages,
  "next-link-upper-case": twoPages,
  "next-link-odd-bytes": twoPages,
  "next-link-illegal-bytes": twoPages,
  "next-link-api-version": twoPages,
  "empty-page-with-link": expectation("LAST", "end", 2),
  "last-page-502": expectation("FIRST", "ServiceFailure", 5, /502 BadGateway: Bad gateway/),
  "last-page-502-once": expectation("FIRST LAST", "end", 3),
  "redirect-301-other-origin": atOnce("Redirect", /redirect that leads to another origin \(http:/),
  "redirect-302-other-origin": atOnce("Redirect", /redirect that leads to another origin \(http:/),
  "redirect-303-other-origin": atOnce("Redirect", /redirect that leads to another origin \(http:/),
  "redirect-307-other-origin": atOnce("Redirect", /redirect that leads to another origin \(http:/),
  "redirect-308-other-origin": atOnce("Redirect", /redirect that leads to another origin \(http:/),
  "redirect-http": atOnce("Redirect", /to another origin \(http:/),
  "redirect-protocol-relative": atOnce("Redirect", /to another origin/),
  "redirect-303": expectation("LAST", "end", 2),
  "redirect-loop": expectation("", "Redirect", 6, /exceeds the redirect limit/),
  "redirect-malformed": atOnce("Redirect", /not a valid URL/),
  "redirect-file": atOnce("Redirect", /not http or https/),
  "redirect-nowhere": atOnce("Redirect", /not a valid URL/),
  "redirect-same-origin": expectation("LAST", "end", 2),
  "redirect-same-origin-307": expectation("LAST", "end", 2),
  "redirect-chain": expectation("", "Redirect", 6, /exceeds the redirect limit/),
  "connection-refused": expectation("", "Transport", 0, /refused \(ECONNREFUSED\)/),
  "tls-untrusted": expectation("", "Transport", 0, /certificate/),
  "reset-before-headers": afterRetries("Transport"),
  "reset-before-headers-once": expectation("LAST", "end", 2),
  "close-before-headers": afterRetries("Transport"),
  "reset-in-body": afterRetries("Transport"),
  "reset-in-body-once": expectation("LAST", "end", 2),
  "short-body": afterRetries("Transport"),
  drip: afterRetries("Timeout", /no complete response within 400ms/),
  silent: afterRetries("Timeout"),
  "silent-in-headers": afterRetries("Timeout"),
  "silent-in-body": afterRetries("Timeout"),
  "too-large-chunked": atOnce("BodyTooLarge", /33554432 bytes/),
  "too-large-declared": atOnce("BodyTooLarge"),
  "error-too-large": atOnce("ServiceFailure", /responded 400\./),
  "gzip-bomb": atOnce("BodyTooLarge"),
  "gzip-bomb-twice": atOnce("BodyTooLarge"),
  gzip: onePage,
  "gzip-twice": onePage,
  // Node's fetch returns the part that it could decompress.
  "gzip-cut": {
    fetch: atOnce("Decode", /is not JSON/),
    node: atOnce("Decode", /cannot be decompressed/),
    undici: atOnce("Decode", /cannot be decompressed/),
  },
  // These stacks return a body unchanged if it is not compressed.
  "gzip-broken": { fetch: afterRetries("Transport"), node: onePage, undici: onePage },
  "unknown-encoding": onePage,
  "page-of-20-mb": expectation(Array.from({ length: 20 }, (_, n) => `LARGE-${n}`).join(" "), "end", 1),
  "html-200": atOnce("Decode", /List\.read: .* is not JSON/),
  "json-array": atOnce("Decode"),
  "json-number": atOnce("Decode"),
  "json-string": atOnce("Decode"),
  "json-null": atOnce("Decode"),
  "value-not-an-array": atOnce("Decode", /value does not match array/),
  "value-absent": atOnce("Decode", /value/),
  "error-200": atOnce("Decode"),
  "empty-200": atOnce("Decode"),
  "status-202": atOnce("ServiceFailure", /202/),
  "status-204": atOnce("ServiceFailure", /204/),
  "status-206": atOnce("ServiceFailure", /206/),
  bom: onePage,
  "invalid-utf-8": expectation("ODD", "end", 1),
  "deep-json": expectation("ODD", "end", 1),
  "proto-keys": expectation("ODD", "end", 1),
  "odd-numbers": expectation("ODD", "end", 1),
  "retry-after-seconds": atOnce("RateLimited", /Try again in 2s/),
  "retry-after-zero": expectation("LAST", "end", 2),
  "retry-after-date": atOnce("RateLimited", /Try again in/),
  "retry-after-past": expectation("LAST", "end", 2),
  "retry-after-negative": expectation("LAST", "end", 2),
  "retry-after-text": expectation("LAST", "end", 2),
  "retry-after-ten-years": atOnce("RateLimited", /Try again in 3650d/),
  "retry-after-absent": expectation("LAST", "end", 2),
  "retry-after-503": atOnce("ServiceFailure", /503/),
  "retry-after-503-absent": expectation("LAST", "end", 2),
  "status-429": afterRetries("RateLimited"),
  "status-500": afterRetries("ServiceFailure"),
  "status-503": afterRetries("ServiceFailure"),
  "token-expires-mid-list": expectation("FIRST LAST", "end", 3),
  "token-refused-mid-list": expectation("FIRST", "Unauthorized", 3),
  "status-401": expectation("", "Unauthorized", 2),
  "status-403": atOnce("Forbidden"),
  "status-404": atOnce("NotFound"),
  "status-411": atOnce("ServiceFailure"),
  "status-412": atOnce("ServiceFailure"),
  "status-418": atOnce("ServiceFailure"),
  "status-501": atOnce("ServiceFailure"),
  "status-505": atOnce("ServiceFailure"),
  "error-flat": atOnce("ServiceFailure", /InvalidODataQueryOptions: The query is not valid\./),
  "error-nested": atOnce("ServiceFailure", /MissingSubscriptionRegistration: Not registered\./),
  "error-integer-code": atOnce("ServiceFailure", /responded 400 4001: No\./),
  "error-html": atOnce("NotFound"),
  "error-empty": atOnce("Forbidden"),
  "error-5-mb": atOnce("ServiceFailure"),
  "error-without-end": atOnce("Forbidden"),
  "odd-dates": withOddItems("ODD-0", "ODD-1", "ODD-2", "ODD-3", "ODD-4"),
  "invalid-dates": withOddItems("ODD-0", "ODD-1"),
  "odd-mitigation": withOddItems("ODD-0", "ODD-1"),
  "unknown-enums": withOddItems("ODD-0", "ODD-1"),
  nulls: withOddItems("ODD-0", "ODD-1"),
  "properties-absent": withOddItems("ODD"),
  "not-an-event": withOddItems("42", '"x"', "null", "[]"),
  "same-id-twice": expectation("SAME SAME", "end", 2),
  "error-echo": expectation("", "Unauthorized", 2, /<redacted>/),
}

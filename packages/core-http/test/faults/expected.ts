/** What becomes of a list under each fault: what is delivered, how it ends, and how often the service is asked. */
import type { Faults } from "@vigil/sandbox"
import type * as HttpStack from "@vigil/testing/HttpStack"

/** `ends` is the tag of the error, or `end`; what is delivered of a list without end is told by other tests. */
interface Expected {
  readonly delivered?: string
  readonly ends: string
  readonly requests?: number
  readonly says?: RegExp
}

const of = (delivered: string | undefined, ends: string, requests?: number, says?: RegExp): Expected => ({
  ends,
  ...(delivered === undefined ? {} : { delivered }),
  ...(requests === undefined ? {} : { requests }),
  ...(says === undefined ? {} : { says }),
})

/** What fails at once; what fails after every retry; what is delivered whole. */
const once = (ends: string, says?: RegExp) => of("", ends, 1, says)
const often = (ends: string, says?: RegExp) => of("", ends, 4, says)
const whole = of("FIRST LAST", "end", 2)
const page = of("LAST", "end", 1)
const refused = (says: RegExp) => of("FIRST", "LinkRefused", 1, says)
const among = (...odd: ReadonlyArray<string>) => of(["BEFORE", ...odd, "AFTER"].join(" "), "end", 1)

/** By HTTP stack, where they differ. */
export type ByStack = Expected | Readonly<Record<HttpStack.Name, Expected>>

/** Not here: what the terminal shows of a list (51, 52), which these packages have no part in. */
export const expected: Readonly<Record<Exclude<Faults.Name, "hostile-text" | "formula-text">, ByStack>> = {
  "next-link-other-host": refused(
    /leads to another origin: http:\/\/localhost:\d+ instead of http:\/\/127\.0\.0\.1:\d+/,
  ),
  "next-link-other-port": refused(/another origin/),
  "next-link-http": refused(/another origin: http:/),
  "next-link-userinfo": refused(/a user name or a password/),
  // By the URL standard a path of the service's own.
  "next-link-at-sign": whole,
  "next-link-protocol-relative": refused(/another origin/),
  "next-link-backslashes": refused(/another origin/),
  "next-link-malformed": refused(/not a valid URL/),
  "next-link-file": refused(/not http or https/),
  "next-link-javascript": refused(/not http or https/),
  "next-link-data": refused(/not http or https/),
  "next-link": whole,
  "next-link-relative": whole,
  "next-link-query-only": whole,
  "next-link-empty": of("FIRST", "end", 1),
  "next-link-null": of("FIRST", "end", 1),
  "next-link-blank": of("FIRST", "end", 1),
  "next-link-loop-self": of("SAME", "PageLoop", 1),
  "next-link-loop-two": of("EVENT-0 EVENT-1 EVENT-2 EVENT-1", "PageLoop"),
  "next-link-loop-long": of(undefined, "PageLoop"),
  "next-link-loop-late": of(undefined, "PageLoop"),
  "endless-links": of(undefined, "PageLimit", 50),
  "next-link-long": whole,
  "next-link-too-long": of("FIRST", "ServiceError", 2, /414 UriTooLong/),
  "next-link-host-in-hex": whole,
  "next-link-trailing-dot": whole,
  "next-link-upper-case": whole,
  "next-link-odd-bytes": whole,
  "next-link-illegal-bytes": whole,
  "next-link-api-version": whole,
  "empty-page-with-link": of("LAST", "end", 2),
  "last-page-502": of("FIRST", "ServiceError", 5, /502 BadGateway: Bad gateway/),
  "last-page-502-once": of("FIRST LAST", "end", 3),
  "redirect-301-other-origin": once("RedirectRefused", /redirect that leads to another origin \(http:/),
  "redirect-302-other-origin": once("RedirectRefused", /redirect that leads to another origin \(http:/),
  "redirect-303-other-origin": once("RedirectRefused", /redirect that leads to another origin \(http:/),
  "redirect-307-other-origin": once("RedirectRefused", /redirect that leads to another origin \(http:/),
  "redirect-308-other-origin": once("RedirectRefused", /redirect that leads to another origin \(http:/),
  "redirect-http": once("RedirectRefused", /to another origin \(http:/),
  "redirect-protocol-relative": once("RedirectRefused", /to another origin/),
  "redirect-303": of("LAST", "end", 2),
  "redirect-loop": of("", "RedirectRefused", 6, /exceeds the redirect limit/),
  "redirect-malformed": once("RedirectRefused", /not a valid URL/),
  "redirect-file": once("RedirectRefused", /not http or https/),
  "redirect-nowhere": once("RedirectRefused", /not a valid URL/),
  "redirect-same-origin": of("LAST", "end", 2),
  "redirect-same-origin-307": of("LAST", "end", 2),
  "redirect-chain": of("", "RedirectRefused", 6, /exceeds the redirect limit/),
  "connection-refused": of("", "TransportError", 0, /refused \(ECONNREFUSED\)/),
  "tls-untrusted": of("", "TransportError", 0, /certificate/),
  "reset-before-headers": often("TransportError"),
  "reset-before-headers-once": of("LAST", "end", 2),
  "close-before-headers": often("TransportError"),
  "reset-in-body": often("TransportError"),
  "reset-in-body-once": of("LAST", "end", 2),
  "short-body": often("TransportError"),
  drip: often("TimeoutError", /no complete response .* within 150ms/),
  silent: often("TimeoutError"),
  "silent-in-headers": often("TimeoutError"),
  "silent-in-body": often("TimeoutError"),
  "too-large-chunked": once("BodyTooLarge", /33554432 bytes/),
  "too-large-declared": once("BodyTooLarge"),
  "error-too-large": once("ServiceError", /responded 400\./),
  "gzip-bomb": once("BodyTooLarge"),
  "gzip-bomb-twice": once("BodyTooLarge"),
  gzip: page,
  "gzip-twice": page,
  // Node's fetch hands out what it could decompress.
  "gzip-cut": {
    fetch: once("DecodeError", /is not JSON/),
    node: once("DecodeError", /cannot be decompressed/),
    undici: once("DecodeError", /cannot be decompressed/),
  },
  // What is not compressed is read as it is by those who look.
  "gzip-broken": { fetch: often("TransportError"), node: page, undici: page },
  "unknown-encoding": page,
  "page-of-20-mb": of(Array.from({ length: 20 }, (_, n) => `LARGE-${n}`).join(" "), "end", 1),
  "html-200": once("DecodeError", /List\.read: .* is not JSON/),
  "json-array": once("DecodeError"),
  "json-number": once("DecodeError"),
  "json-string": once("DecodeError"),
  "json-null": once("DecodeError"),
  "value-not-an-array": once("DecodeError", /value does not match ReadonlyArray<unknown>/),
  "value-absent": once("DecodeError", /value/),
  "error-200": once("DecodeError"),
  "empty-200": once("DecodeError"),
  "status-202": once("ServiceError", /202/),
  "status-204": once("ServiceError", /204/),
  "status-206": once("ServiceError", /206/),
  bom: page,
  "invalid-utf-8": of("ODD", "end", 1),
  "deep-json": of("ODD", "end", 1),
  "proto-keys": of("ODD", "end", 1),
  "odd-numbers": of("ODD", "end", 1),
  "retry-after-seconds": once("RateLimited", /Try again in 2s/),
  "retry-after-zero": of("LAST", "end", 2),
  "retry-after-date": once("RateLimited", /Try again in/),
  "retry-after-past": of("LAST", "end", 2),
  "retry-after-negative": of("LAST", "end", 2),
  "retry-after-text": of("LAST", "end", 2),
  "retry-after-ten-years": once("RateLimited", /Try again in 3650d/),
  "retry-after-absent": of("LAST", "end", 2),
  "retry-after-503": once("ServiceError", /503/),
  "retry-after-503-absent": of("LAST", "end", 2),
  "status-429": often("RateLimited"),
  "status-500": often("ServiceError"),
  "status-503": often("ServiceError"),
  "token-expires-mid-list": of("FIRST LAST", "end", 3),
  "token-refused-mid-list": of("FIRST", "Unauthorized", 3),
  "status-401": of("", "Unauthorized", 2),
  "status-403": once("Forbidden"),
  "status-404": once("NotFound"),
  "status-411": once("LengthRequired"),
  "status-412": once("ServiceError"),
  "status-418": once("ServiceError"),
  "status-501": once("ServiceError"),
  "status-505": once("ServiceError"),
  "error-flat": once("ServiceError", /InvalidODataQueryOptions: The query is not valid\./),
  "error-nested": once("ServiceError", /MissingSubscriptionRegistration: Not registered\./),
  "error-integer-code": once("ServiceError", /responded 400 4001: No\./),
  "error-html": once("NotFound"),
  "error-empty": once("Forbidden"),
  "error-5-mb": once("ServiceError"),
  "error-without-end": once("Forbidden"),
  "odd-dates": among("ODD-0", "ODD-1", "ODD-2", "ODD-3", "ODD-4"),
  "invalid-dates": among("ODD-0", "ODD-1"),
  "odd-mitigation": among("ODD-0", "ODD-1"),
  "unknown-enums": among("ODD-0", "ODD-1"),
  nulls: among("ODD-0", "ODD-1"),
  "properties-absent": among("ODD"),
  "not-an-event": among("42", '"x"', "null", "[]"),
  "same-id-twice": of("SAME SAME", "end", 2),
  "error-echo": of("", "Unauthorized", 2, /<redacted>/),
}

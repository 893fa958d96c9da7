/** Faults of redirects, of connections, and of large or compressed bodies. */
import * as Reply from "../../Reply.js"
import { always, event, type Fault, fault, type Faults, fill, last } from "./fault.js"

/** Redirects every request to a location (a template). */
const redirects =
  (location: string, status = 302): Fault["script"] =>
  ({ foreign }) =>
  ({ origin }) =>
    Reply.redirect(status, fill(location, origin, foreign))

const away = (status: number): Fault =>
  fault(21, `Every request is redirected to another origin with ${status}.`, redirects("{foreign}/page", status))

/** Redirects once to another path of the service. */
const within = (status: number): Fault["script"] => always(Reply.redirect(status, "/moved?a=b"), last)

const circle: Reply.Script = ({ target }) => Reply.redirect(302, target === "/a" ? "/b" : "/a")

const chain = Array.from({ length: 30 }, (_, hop) => Reply.redirect(302, `/hop/${hop + 1}`))

const redirected = {
  "redirect-301-other-origin": away(301),
  "redirect-302-other-origin": away(302),
  "redirect-303-other-origin": away(303),
  "redirect-307-other-origin": away(307),
  "redirect-308-other-origin": away(308),
  "redirect-http": fault(
    21,
    "The service speaks TLS, and redirects to its host and port over plain http.",
    redirects("http://{own.host}/page"),
    { tls: true },
  ),
  "redirect-protocol-relative": fault(
    21,
    "Every request is redirected to two slashes and another host.",
    redirects("//{foreign.host}/page"),
  ),
  "redirect-303": fault(22, "The first request, be it a POST, is redirected with 303 within the service.", within(303)),
  "redirect-loop": fault(22, "Two addresses redirect to each other.", () => circle),
  "redirect-malformed": fault(22, "The Location is malformed.", redirects("http://[::1/page")),
  "redirect-file": fault(22, "The Location names a file.", redirects("file:///etc/passwd")),
  "redirect-nowhere": fault(22, "The redirect has no Location.", always(Reply.empty(302))),
  "redirect-same-origin": fault(23, "The first request is redirected with 302 within the service.", within(302)),
  "redirect-same-origin-307": fault(23, "The first request is redirected with 307 within the service.", within(307)),
  "redirect-chain": fault(
    23,
    "Thirty redirects within the service, one after the other, and then a page.",
    always(...chain, last),
  ),
} satisfies Faults

const broken = Reply.resetWithin(last)

const connections = {
  "connection-refused": fault(24, "Nothing listens any more.", always(last), { stopped: true }),
  "tls-untrusted": fault(24, "The certificate is signed by itself.", always(last), { tls: true }),
  "reset-before-headers": fault(25, "Every request is answered with a reset.", always(Reply.reset)),
  "reset-before-headers-once": fault(25, "The first request is answered with a reset.", always(Reply.reset, last)),
  "close-before-headers": fault(25, "Every connection is closed without an answer.", always(Reply.raw(""))),
  "reset-in-body": fault(26, "The connection is reset in the middle of every body.", always(broken)),
  "reset-in-body-once": fault(26, "The connection is reset in the middle of the first body.", always(broken, last)),
  "short-body": fault(
    27,
    "The body is shorter than its content-length, and the connection is closed.",
    always(Reply.shortBody(last)),
  ),
  drip: fault(28, "The body is a space a second, without end.", always(Reply.drip())),
  silent: fault(29, "Requests are accepted, and never answered.", always(Reply.silent)),
  "silent-in-headers": fault(
    29,
    "The answer stops in the middle of a header.",
    always({ ...Reply.raw("HTTP/1.1 200 OK\r\ncontent-ty"), end: "hang" }),
  ),
  "silent-in-body": fault(29, "The answer stops in the middle of its body.", always({ ...broken, end: "hang" })),
} satisfies Faults

const mebibyte = 1_048_576

const huge = Reply.huge(40 * mebibyte)

const encoded = (encoding: string): Reply.Reply => ({
  ...last,
  headers: { ...last.headers, "content-encoding": encoding },
})

const half = (reply: Reply.Reply): Reply.Reply =>
  reply.body instanceof Uint8Array ? { ...reply, body: reply.body.subarray(0, reply.body.length / 2) } : reply

const twentyEvents = () => () =>
  Reply.page(Array.from({ length: 20 }, (_, n) => event(`LARGE-${n}`, { summary: "x".repeat(1_000_000) })))

const sizes = {
  "too-large-chunked": fault(30, "The body has 40 MiB, in chunks.", always(huge)),
  "too-large-declared": fault(
    30,
    "The body has 40 MiB, and a content-length that says so.",
    always(Reply.huge(40 * mebibyte, { declared: true })),
  ),
  "error-too-large": fault(30, "The body of an error has 40 MiB, in chunks.", always({ ...huge, status: 400 })),
  "gzip-bomb": fault(31, "200 KB of gzip, which decompress to 200 MiB.", always(Reply.bomb())),
  "gzip-bomb-twice": fault(
    31,
    "200 MiB, compressed to a thousandth of it, and that again.",
    always(Reply.gzip(Reply.huge(200 * mebibyte), 2)),
  ),
  gzip: fault(32, "The page is compressed by gzip, unasked.", always(Reply.gzip(last))),
  "gzip-twice": fault(32, "The page is compressed by gzip twice, and says so.", always(Reply.gzip(last, 2))),
  "gzip-cut": fault(
    32,
    "The page is compressed by gzip, and its second half is missing.",
    always(half(Reply.gzip(last))),
  ),
  "gzip-broken": fault(32, "The page says that it is gzip, and is not.", always(encoded("gzip"))),
  "unknown-encoding": fault(32, "The page has an encoding that no one knows.", always(encoded("x-vigil"))),
  "page-of-20-mb": fault(33, "A page of 20 events of 1 MB each.", twentyEvents),
} satisfies Faults

export const transport = { ...redirected, ...connections, ...sizes }

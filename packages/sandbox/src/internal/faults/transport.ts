/** Faults of redirects, of connections, and of large or compressed bodies. */
import { deflateRawSync, gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Reply from "../../Reply.js"
import { event, type Fault, fault, type Faults, fill, last, replies } from "./fault.js"

/** Redirects every request to a location (a template). */
const redirects = (row: number, description: string, location: string, status = 302): Fault =>
  fault(
    row,
    description,
    ({ foreign }) =>
      ({ origin }) =>
        Reply.redirect(status, fill(location, origin, foreign)),
  )

const away = (status: number): Fault =>
  redirects(21, `Redirects every request to another origin with ${status}.`, "{foreign}/page", status)

const within = (row: number, status: number): Fault =>
  replies(
    row,
    `Redirects the first request within the service with ${status}.`,
    Reply.redirect(status, "/moved?a=b"),
    last,
  )

const circle: Reply.Script = ({ target }) => Reply.redirect(302, target === "/a" ? "/b" : "/a")

const chain = Array.from({ length: 30 }, (_, hop) => Reply.redirect(302, `/hop/${hop + 1}`))

const redirected = {
  "redirect-301-other-origin": away(301),
  "redirect-302-other-origin": away(302),
  "redirect-303-other-origin": away(303),
  "redirect-307-other-origin": away(307),
  "redirect-308-other-origin": away(308),
  "redirect-http": { ...redirects(21, "Redirects from TLS to plain HTTP.", "http://{own.host}/page"), tls: true },
  "redirect-protocol-relative": redirects(21, "The Location is two slashes and another host.", "//{foreign.host}/page"),
  "redirect-303": within(22, 303),
  "redirect-loop": fault(22, "Two URLs redirect to each other.", () => circle),
  "redirect-malformed": redirects(22, "The Location is malformed.", "http://[::1/page"),
  "redirect-file": redirects(22, "The Location is a file URL.", "file:///etc/passwd"),
  "redirect-nowhere": replies(22, "A redirect without a Location.", Reply.empty(302)),
  "redirect-same-origin": within(23, 302),
  "redirect-same-origin-307": within(23, 307),
  "redirect-chain": replies(23, "Thirty redirects within the service, then a page.", ...chain, last),
} satisfies Faults

const broken = Reply.resetWithin(last)

const halfHead: Reply.Reply = { ...Reply.raw("HTTP/1.1 200 OK\r\ncontent-ty"), end: "hang" }

const connections = {
  "connection-refused": { ...replies(24, "The port is closed.", last), stopped: true },
  "tls-untrusted": { ...replies(24, "The certificate is self-signed.", last), tls: true },
  "reset-before-headers": replies(25, "Resets the connection of every request.", Reply.reset),
  "reset-before-headers-once": replies(25, "Resets the connection of the first request.", Reply.reset, last),
  "close-before-headers": replies(25, "Closes every connection without a response.", Reply.raw("")),
  "reset-in-body": replies(26, "Resets the connection in the middle of every body.", broken),
  "reset-in-body-once": replies(26, "Resets the connection in the middle of the first body.", broken, last),
  "short-body": replies(27, "The body is shorter than its content-length.", Reply.shortBody()(last)),
  drip: replies(28, "The body is endless: one space per second.", Reply.drip()),
  silent: replies(29, "Accepts requests but never responds.", Reply.silent),
  "silent-in-headers": replies(29, "The response stops in the middle of a header.", halfHead),
  "silent-in-body": replies(29, "The response stops in the middle of its body.", { ...broken, end: "hang" }),
} satisfies Faults

const mebibyte = 1_048_576

const huge = Reply.huge(40 * mebibyte)

const hugeDeclared = Reply.huge(40 * mebibyte, { declared: true })

const encoded = (encoding: string): Reply.Reply => ({
  ...last,
  headers: { ...last.headers, "content-encoding": encoding },
})

const half = (reply: Reply.Reply): Reply.Reply =>
  reply.body instanceof Uint8Array ? { ...reply, body: reply.body.subarray(0, reply.body.length / 2) } : reply

/** Replaces the body. */
const withBody = (reply: Reply.Reply, encoding: string, encode: (body: Uint8Array) => Uint8Array): Reply.Reply =>
  reply.body instanceof Uint8Array
    ? { ...reply, headers: { ...reply.headers, "content-encoding": encoding }, body: encode(reply.body) }
    : reply

const members = (reply: Reply.Reply): Reply.Reply =>
  withBody(reply, "gzip", (body) => Buffer.concat([gzipSync(body.subarray(0, 9)), gzipSync(body.subarray(9))]))

const deflatedRaw = (reply: Reply.Reply): Reply.Reply => withBody(reply, "deflate", (body) => deflateRawSync(body))

const twentyEvents = () => () =>
  Reply.page(Array.from({ length: 20 }, (_, n) => event(`LARGE-${n}`, { summary: "x".repeat(1_000_000) })))

/** Produces the body once, and sends the same chunks in every response. */
const withCachedBody = (reply: Reply.Reply): Effect.Effect<Reply.Reply> =>
  Effect.runSync(
    Effect.cached(
      reply.body instanceof Uint8Array
        ? Effect.succeed(reply)
        : Effect.map(Stream.runCollect(reply.body), (chunks) => ({ ...reply, body: Stream.fromArray(chunks) })),
    ),
  )

const sizes = {
  "too-large-chunked": replies(30, "A body of 40 MiB, in chunks.", huge),
  "too-large-declared": replies(30, "A body of 40 MiB, with its content-length.", hugeDeclared),
  "error-too-large": replies(30, "An error body of 40 MiB, in chunks.", { ...huge, status: 400 }),
  "gzip-bomb": replies(31, "200 KB of gzip that decompress to 200 MiB.", withCachedBody(Reply.bomb())),
  "gzip-bomb-twice": replies(
    31,
    "200 MiB, compressed by gzip twice.",
    withCachedBody(Reply.gzip(Reply.gzip(Reply.huge(200 * mebibyte)))),
  ),
  gzip: replies(32, "The page is compressed by gzip.", Reply.gzip(last)),
  "gzip-twice": replies(32, "The page is compressed by gzip twice.", Reply.gzip(Reply.gzip(last))),
  "gzip-cut": replies(32, "The second half of the compressed page is missing.", half(Reply.gzip(last))),
  "gzip-broken": replies(32, "The page is not compressed, but its content-encoding is gzip.", encoded("gzip")),
  "gzip-members": replies(57, "The page is compressed by gzip in two members.", members(last)),
  "deflate-raw": replies(57, "The content-encoding is deflate, without the zlib format.", deflatedRaw(last)),
  "unknown-encoding": replies(32, "The content-encoding is unknown.", encoded("x-vigil")),
  "page-of-20-mb": fault(33, "A page of 20 events of 1 MB each.", twentyEvents),
} satisfies Faults

export const transport = { ...redirected, ...connections, ...sizes }

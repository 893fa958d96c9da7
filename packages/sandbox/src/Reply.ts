/** How a fault server answers: as a service should, or in one of the ways in which services fail. */
import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { compressed, emptyPage } from "./internal/faults/bodies.js"
import { sleep } from "./internal/faults/machine.js"
import type { Received } from "./Received.js"

/**
 * An answer, as data. The functions of this module make and change them; a record of one's own is as good.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reply {
  /** The status; without one there is no head, and the body is all that is written. */
  readonly status: number | undefined
  /** By name, as they are written. */
  readonly headers: Readonly<Record<string, string>>
  /** A stream is written as fast as the peer reads it, and stopped when the peer goes away. */
  readonly body: Uint8Array | Stream.Stream<Uint8Array>
  /** The `content-length` that is announced, in bytes. Without one the true one of a body of bytes; a stream is sent in chunks. */
  readonly length: number | undefined
  /** What becomes of the connection: kept for the next request, closed, reset, or left without another byte. */
  readonly end: "keep" | "close" | "reset" | "hang"
}

/**
 * What a server answers: replies in order, of which the last is repeated, or a function of the request and of its index, from
 * 0. Where a reply is an effect, the request waits for it.
 *
 * @category models
 * @since 0.1.0
 */
export type Script =
  | ReadonlyArray<Reply | Effect.Effect<Reply>>
  | ((request: Received, index: number) => Reply | Effect.Effect<Reply>)

/**
 * The status (default: 200) and headers of an answer.
 *
 * @category models
 * @since 0.1.0
 */
export interface Head {
  /** Default: 200. */
  readonly status?: number | undefined
  /** By name; they go before those that come with a body. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/**
 * These bytes, whatever they are.
 *
 * @category constructors
 * @since 0.1.0
 */
export const bytes = (body: Uint8Array, { headers = {}, status = 200 }: Head = {}): Reply => ({
  status,
  headers,
  body,
  length: undefined,
  end: "keep",
})

/**
 * A text, in UTF-8. `text/plain` unless a header says otherwise.
 *
 * @category constructors
 * @since 0.1.0
 */
export const text = (body: string, { headers, status }: Head = {}): Reply =>
  bytes(encode(body), { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers } })

/**
 * A value, as JSON.
 *
 * @category constructors
 * @since 0.1.0
 */
export const json = (value: unknown, { headers, status }: Head = {}): Reply =>
  text(JSON.stringify(value), { status, headers: { "content-type": "application/json", ...headers } })

/**
 * A page of a list, as the health events API sends it: `{ value, nextLink }`. Without a link it is the last.
 *
 * @category constructors
 * @since 0.1.0
 */
export const page = (value: ReadonlyArray<unknown>, nextLink?: string | null): Reply =>
  json({ value, ...(nextLink === undefined ? {} : { nextLink }) })

/**
 * A status, and no body.
 *
 * @category constructors
 * @since 0.1.0
 */
export const empty = (status: number, headers: Readonly<Record<string, string>> = {}): Reply =>
  bytes(new Uint8Array(), { status, headers })

/**
 * A redirect to `location`, which is sent as it is.
 *
 * @category constructors
 * @since 0.1.0
 */
export const redirect = (status: number, location: string): Reply => empty(status, { location })

/**
 * An error that repeats the credential: in its body, as the flat form of the health events API, and in `x-request-id`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const echo = (request: Received, status = 401): Reply => {
  const credential = request.headers["authorization"] ?? request.headers["x-api-token"] ?? ""
  return json(
    { code: credential, message: `The credential ${credential} is not accepted.` },
    { status, headers: { "x-request-id": credential } },
  )
}

/**
 * This text, one byte a character, in place of any HTTP; then the connection is closed.
 *
 * @category constructors
 * @since 0.1.0
 */
export const raw = (written: string): Reply => ({
  ...bytes(Buffer.from(written, "latin1")),
  status: undefined,
  end: "close",
})

/**
 * The connection is reset before anything is written.
 *
 * @category constructors
 * @since 0.1.0
 */
export const reset: Reply = { ...raw(""), end: "reset" }

/**
 * The request is read, and never answered.
 *
 * @category constructors
 * @since 0.1.0
 */
export const silent: Reply = { ...raw(""), end: "hang" }

/**
 * A head, then `piece` again and again, every so many milliseconds, without end; by default a space a second. The machine's clock counts
 * them, under a `TestClock` too.
 *
 * @category constructors
 * @since 0.1.0
 */
export const drip = (piece = " ", everyMillis = 1_000): Reply => ({
  ...page([]),
  body: Stream.concat(Stream.make(encode(piece)), Stream.repeatEffect(Effect.as(sleep(everyMillis), encode(piece)))),
})

/**
 * An empty page of so many bytes, nearly all of them spaces. Sent in chunks, or with its length announced.
 *
 * @category constructors
 * @since 0.1.0
 */
export const huge = (size: number, options: { readonly declared?: boolean } = {}): Reply => ({
  ...page([]),
  body: emptyPage(size),
  length: options.declared === true ? size : undefined,
})

/**
 * A few hundred kilobytes that decompress to so many mebibytes, by default 200: an empty page, nearly all of it spaces.
 *
 * @category constructors
 * @since 0.1.0
 */
export const bomb = (mebibytes = 200): Reply => gzip(huge(mebibytes * 1_048_576))

/**
 * The reply, compressed so many times, by default once, and saying so.
 *
 * @category combinators
 * @since 0.1.0
 */
export const gzip = (reply: Reply, times = 1): Reply => {
  let { body } = reply
  for (let time = 0; time < times; time++) body = body instanceof Uint8Array ? gzipSync(body) : compressed(body)
  const encoding = Array.from({ length: times }, () => "gzip").join(", ")
  return { ...reply, headers: { ...reply.headers, "content-encoding": encoding }, body, length: undefined }
}

/**
 * The reply, announcing so many bytes more than it sends; then the connection is closed.
 *
 * @category combinators
 * @since 0.1.0
 */
export const shortBody = (reply: Reply, missing = 100): Reply => ({
  ...reply,
  length: (reply.length ?? (reply.body instanceof Uint8Array ? reply.body.length : 0)) + missing,
  end: "close",
})

/**
 * The reply up to the middle of its body, where the connection is reset. A stream is sent to its end first.
 *
 * @category combinators
 * @since 0.1.0
 */
export const resetWithin = (reply: Reply): Reply =>
  reply.body instanceof Uint8Array
    ? {
        ...reply,
        body: reply.body.subarray(0, Math.ceil(reply.body.length / 2)),
        length: reply.body.length,
        end: "reset",
      }
    : { ...reply, end: "reset" }

/**
 * The reply, once `until` is done: a latch or a `Deferred` that a test opens.
 *
 * @category combinators
 * @since 0.1.0
 */
export const held = (until: Effect.Effect<unknown>, reply: Reply): Effect.Effect<Reply> => Effect.as(until, reply)

/** The replies of a fault server: normal responses, and the ways in which services fail. */
import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { compressed, dripping, emptyPage } from "./internal/faults/bodies.js"

/**
 * A request, as a fault server received it. `target` and the headers hold one character for each byte.
 * @category models
 * @since 0.1.0
 */
export interface Request {
  /** The method, as it was sent. */
  readonly method: string
  /** The target of the request line, byte for byte: path and query, as the client spelled them. */
  readonly target: string
  /** By lower-case name. The values of a repeated header are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, decoded as UTF-8. */
  readonly body: string
  /** The origin of the server that received it, such as `http://127.0.0.1:40123`. */
  readonly origin: string
  /** Whether it was sent over TLS. */
  readonly secure: boolean
}

/**
 * A reply, as data. The functions of this module make and change replies.
 * @category models
 * @since 0.1.0
 */
export interface Reply {
  /** The status code. Without one, only the body is written: it stands for the whole response. */
  readonly status: number | undefined
  /** The headers, by name. */
  readonly headers: Readonly<Record<string, string>>
  /** The body. A stream is written as fast as the client reads it, and stops when the client disconnects. */
  readonly body: Uint8Array | Stream.Stream<Uint8Array>
  /** The `content-length`, in bytes. Default: the length of the body; a stream is sent in chunks. */
  readonly length: number | undefined
  /** What happens to the connection after the body: kept alive, closed, reset, or left open without another byte. */
  readonly end: "keep" | "close" | "reset" | "hang"
}

/**
 * Replies in order, of which the last is repeated, or a function of the request and its index. A request waits for an effect.
 * @category models
 * @since 0.1.0
 */
export type Script =
  | ReadonlyArray<Reply | Effect.Effect<Reply>>
  | ((request: Request, index: number) => Reply | Effect.Effect<Reply>)

/**
 * The status and the headers of a reply.
 * @category models
 * @since 0.1.0
 */
export interface Head {
  /** Default: 200. */
  readonly status?: number | undefined
  /** They replace the headers that come with a body. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/**
 * Replies with these bytes.
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
 * Replies with a text in UTF-8. The default content type is `text/plain`.
 * @category constructors
 * @since 0.1.0
 */
export const text = (body: string, { headers, status }: Head = {}): Reply =>
  bytes(encode(body), { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers } })

/**
 * Replies with a value as JSON.
 * @category constructors
 * @since 0.1.0
 */
export const json = (value: unknown, { headers, status }: Head = {}): Reply =>
  text(JSON.stringify(value), { status, headers: { "content-type": "application/json", ...headers } })

/**
 * Replies with a page of a list, in the form of the health events API: `{ value, nextLink }`. The last page has no link.
 * @category constructors
 * @since 0.1.0
 */
export const page = (value: ReadonlyArray<unknown>, nextLink?: string | null): Reply =>
  json({ value, ...(nextLink === undefined ? {} : { nextLink }) })

/**
 * Replies with a status and no body.
 * @category constructors
 * @since 0.1.0
 */
export const empty = (status: number, headers: Readonly<Record<string, string>> = {}): Reply =>
  bytes(new Uint8Array(), { status, headers })

/**
 * Redirects to `location`, which is sent unchanged.
 * @category constructors
 * @since 0.1.0
 */
export const redirect = (status: number, location: string): Reply => empty(status, { location })

/**
 * Replies with an error that repeats the credential, in its JSON body and in the header `x-request-id`. The default status is 401.
 * @category constructors
 * @since 0.1.0
 */
export const echo = (request: Request, status = 401): Reply => {
  const credential = request.headers["authorization"] ?? request.headers["x-api-token"] ?? ""
  return json(
    { code: credential, message: `The credential ${credential} is not accepted.` },
    { status, headers: { "x-request-id": credential } },
  )
}

/**
 * Writes this text, one byte for each character, in place of an HTTP response. Then closes the connection.
 * @category constructors
 * @since 0.1.0
 */
export const raw = (written: string): Reply => ({
  ...bytes(Buffer.from(written, "latin1")),
  status: undefined,
  end: "close",
})

/**
 * Resets the connection before anything is written.
 * @category constructors
 * @since 0.1.0
 */
export const reset: Reply = { ...raw(""), end: "reset" }

/**
 * Reads the request and never responds.
 * @category constructors
 * @since 0.1.0
 */
export const silent: Reply = { ...raw(""), end: "hang" }

/**
 * Writes `piece` every `everyMillis` of the machine's clock, without end. Default: a space every second.
 * @category constructors
 * @since 0.1.0
 */
export const drip = (piece = " ", everyMillis = 1_000): Reply => ({
  ...page([]),
  body: dripping(encode(piece), everyMillis),
})

/**
 * Replies with an empty page of `size` bytes, nearly all of them spaces. It is sent in chunks, unless its length is `declared`.
 * @category constructors
 * @since 0.1.0
 */
export const huge = (size: number, options: { readonly declared?: boolean } = {}): Reply => ({
  ...page([]),
  body: emptyPage(size),
  length: options.declared === true ? size : undefined,
})

/**
 * Replies with an empty page that decompresses to `mebibytes` (default: 200), a thousand times its compressed size.
 * @category constructors
 * @since 0.1.0
 */
export const bomb = (mebibytes = 200): Reply => gzip(huge(mebibytes * 1_048_576))

/**
 * Compresses the body of a reply once, or `times` times, and sets `content-encoding`.
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
 * Adds `missing` bytes (default: 100) to the `content-length` of a reply, and closes the connection after the body.
 * @category combinators
 * @since 0.1.0
 */
export const shortBody = (reply: Reply, missing = 100): Reply => ({
  ...reply,
  length: (reply.length ?? (reply.body instanceof Uint8Array ? reply.body.length : 0)) + missing,
  end: "close",
})

/**
 * Resets the connection in the middle of the body of a reply. A stream is sent to its end first.
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
 * Replies once `until` is done, such as a latch or a `Deferred` that a test completes.
 * @category combinators
 * @since 0.1.0
 */
export const held = (until: Effect.Effect<unknown>, reply: Reply): Effect.Effect<Reply> => Effect.as(until, reply)

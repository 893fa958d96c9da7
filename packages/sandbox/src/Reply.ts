/** Replies of a fault server: normal responses, and typical failures of services. */
import { gzipSync } from "node:zlib"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { compressed, dripping, emptyPage } from "./internal/faults/bodies.js"

/** A request that a fault server received. In `target` and the headers, each character is one byte. @category models @since 0.1.0 */
export interface Request {
  readonly method: string
  /** Path and query of the request line, as sent. */
  readonly target: string
  /** By lower-case name. Repeated headers are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly origin: string
  readonly secure: boolean
}

/** A reply, as data. The functions of this module make and change replies. @category models @since 0.1.0 */
export interface Reply {
  /** The status code. If `undefined`, `body` is written as the whole response. */
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The body. A stream is written as fast as the client reads, and stops when the client disconnects. */
  readonly body: Uint8Array | Stream.Stream<Uint8Array>
  /** The `content-length` in bytes. Default: the length of the body. Streams are sent in chunks. */
  readonly length: number | undefined
  /** After the body, the connection is kept alive, closed, reset, or left open without another byte. */
  readonly end: "keep" | "close" | "reset" | "hang"
}

/**
 * Replies in order, the last one repeated, or a function of the request and its index. An effect delays the response until it succeeds.
 * @category models @since 0.1.0
 */
export type Script =
  | ReadonlyArray<Reply | Effect.Effect<Reply>>
  | ((request: Request, index: number) => Reply | Effect.Effect<Reply>)

/** The status and headers of a reply. @category models @since 0.1.0 */
export interface Head {
  /** Default: 200. */
  readonly status?: number | undefined
  /** Added to the default headers of the body, or replacing them. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Replies with these bytes. @category constructors @since 0.1.0 */
export const bytes = (body: Uint8Array, { headers = {}, status = 200 }: Head = {}): Reply => ({
  status,
  headers,
  body,
  length: undefined,
  end: "keep",
})

/** Replies with UTF-8 text. The default content type is `text/plain`. @category constructors @since 0.1.0 */
export const text = (body: string, { headers, status }: Head = {}): Reply =>
  bytes(encode(body), { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers } })

/** Replies with a value as JSON. @category constructors @since 0.1.0 */
export const json = (value: unknown, { headers, status }: Head = {}): Reply =>
  text(JSON.stringify(value), { status, headers: { "content-type": "application/json", ...headers } })

/**
 * Replies with a page in the form of the health events API: `{ value, nextLink }`. Without `nextLink`, it is the last page.
 * @category constructors @since 0.1.0
 */
export const page = (value: ReadonlyArray<unknown>, nextLink?: string | null): Reply =>
  json({ value, ...(nextLink === undefined ? {} : { nextLink }) })

/** Replies with a status and no body. @category constructors @since 0.1.0 */
export const empty = (status: number, headers: Readonly<Record<string, string>> = {}): Reply =>
  bytes(new Uint8Array(), { status, headers })

/** Redirects to `location`, which is sent unchanged. @category constructors @since 0.1.0 */
export const redirect = (status: number, location: string): Reply => empty(status, { location })

/**
 * Replies with an error (default: 401) that repeats the credential in its JSON body and in the header `x-request-id`.
 * @category constructors @since 0.1.0
 */
export const echo = (request: Request, status = 401): Reply => {
  const credential = request.headers["authorization"] ?? request.headers["x-api-token"] ?? ""
  return json(
    { code: credential, message: `The credential ${credential} is not accepted.` },
    { status, headers: { "x-request-id": credential } },
  )
}

/** Writes this text, one byte per character, instead of an HTTP response, and closes the connection. @category constructors @since 0.1.0 */
export const raw = (written: string): Reply => ({
  ...bytes(Buffer.from(written, "latin1")),
  status: undefined,
  end: "close",
})

/** Resets the connection before the response. @category constructors @since 0.1.0 */
export const reset: Reply = { ...raw(""), end: "reset" }

/** Reads the request and never responds. @category constructors @since 0.1.0 */
export const silent: Reply = { ...raw(""), end: "hang" }

/**
 * Writes `piece` every `everyMillis`, without end. Default: a space every second. Uses the system clock, not the `Clock` service.
 * @category constructors @since 0.1.0
 */
export const drip = (piece = " ", everyMillis = 1_000): Reply => ({
  ...page([]),
  body: dripping(encode(piece), everyMillis),
})

/**
 * Replies with an empty page of `size` bytes, padded with spaces. It is sent in chunks unless `declared` is set.
 * @category constructors @since 0.1.0
 */
export const huge = (size: number, options: { readonly declared?: boolean } = {}): Reply => ({
  ...page([]),
  body: emptyPage(size),
  length: options.declared === true ? size : undefined,
})

/**
 * Replies with an empty page that decompresses to `mebibytes` (default: 200), about 1000 times its compressed size.
 * @category constructors @since 0.1.0
 */
export const bomb = (mebibytes = 200): Reply => gzip(huge(mebibytes * 1_048_576))

/** Compresses the body of a reply, and adds `gzip` to its `content-encoding`. @category combinators @since 0.1.0 */
export const gzip = (reply: Reply): Reply => {
  const { "content-encoding": before, ...headers } = reply.headers
  return {
    ...reply,
    headers: { ...headers, "content-encoding": before === undefined ? "gzip" : `${before}, gzip` },
    body: reply.body instanceof Uint8Array ? gzipSync(reply.body) : compressed(reply.body),
    length: undefined,
  }
}

/**
 * Adds `missing` bytes (default: 100) to the `content-length`, and closes the connection after the body. A stream of unknown length is reset
 * instead.
 * @category combinators @since 0.1.0
 */
export const shortBody =
  (missing = 100) =>
  (reply: Reply): Reply => {
    const length = reply.length ?? (reply.body instanceof Uint8Array ? reply.body.length : undefined)
    return length === undefined ? resetWithin(reply) : { ...reply, length: length + missing, end: "close" }
  }

/** Resets the connection in the middle of the body. A stream is sent completely first. @category combinators @since 0.1.0 */
export const resetWithin = (reply: Reply): Reply =>
  reply.body instanceof Uint8Array
    ? {
        ...reply,
        body: reply.body.subarray(0, Math.ceil(reply.body.length / 2)),
        length: reply.body.length,
        end: "reset",
      }
    : { ...reply, end: "reset" }

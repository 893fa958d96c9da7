/** Reads bodies: decompressed, up to a limit, as text and as JSON. */
import type * as Headers from "effect/http/Headers"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Issue } from "../Decoder.js"
import * as Reason from "../Reason.js"

type Response = HttpClientResponse.HttpClientResponse

type Bytes = Uint8Array<ArrayBuffer>

export type BodyError = Reason.BodyTooLarge | Reason.Decode | HttpClientError.HttpClientError

const tooLarge = (limit: number) => Effect.fail(new Reason.BodyTooLarge({ limit }))

/** Fails as soon as there are more than `limit` bytes. */
const collect = <E>(
  stream: Stream.Stream<Uint8Array, E>,
  limit: number,
): Effect.Effect<Bytes, Reason.BodyTooLarge | E> =>
  Effect.suspend(() => {
    const parts: Array<Uint8Array> = []
    let size = 0
    const read = Stream.runForEachArray(stream, (next) => {
      for (const part of next) {
        parts.push(part)
        size += part.byteLength
      }
      return size > limit ? tooLarge(limit) : Effect.void
    })
    return Effect.map(read, () => {
      const result = new Uint8Array(size)
      let offset = 0
      for (const part of parts) {
        result.set(part, offset)
        offset += part.byteLength
      }
      return result
    })
  })

/** The number of effective names in a `content-encoding` (RFC 9110, section 8.4). */
const countEncodings = (header = ""): number =>
  header.split(",").filter((name) => !/^\s*(identity\s*)?$/i.test(name)).length

/** Compression is detected by the first two bytes, because fetch keeps the header after it decompresses. No JSON begins like them. */
const detectFormat = ([first = 0, second = 0]: Uint8Array): "gzip" | "deflate" | undefined => {
  if (first === 0x1f && second === 0x8b) return "gzip"
  return first === 0x78 && (first * 256 + second) % 31 === 0 ? "deflate" : undefined
}

const decompress = (bytes: Bytes, times: number, limit: number): Effect.Effect<Bytes, BodyError> => {
  const format = times > 0 ? detectFormat(bytes) : undefined
  if (format === undefined) return Effect.succeed(bytes)
  const stream = Stream.fromReadableStream({
    evaluate: () => new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)),
    onError: () => new Reason.Decode({ path: "", problem: "cannot be decompressed" }),
  })
  return Effect.flatMap(collect(stream, limit), (inner) => decompress(inner, times - 1, limit))
}

/**
 * Takes a large buffer away from its response. V8 keeps a finished response until its next full collection, and starts one after 64 MB of
 * buffers: without it, a list over undici takes a quarter more CPU time (`pnpm bench race`).
 */
const take = (buffer: ArrayBuffer): ArrayBuffer =>
  // Node's client returns another type.
  buffer.byteLength > 64 * 1024 && buffer instanceof ArrayBuffer
    ? structuredClone(buffer, { transfer: [buffer] })
    : buffer

/** Node's client copies a body that is read at once for each chunk. */
const maxAtOnce = 1024 * 1024

/**
 * Returns whether `content-length` guarantees at most `limit` bytes. Such a body is read at once: as a stream, a list over fetch takes half as
 * much CPU time again (`pnpm bench race`).
 */
const isBounded = (headers: Headers.Headers, encodings: number, limit: number): boolean => {
  const length = headers["content-length"] ?? ""
  const isFramed = /^\d+$/.test(length) && headers["transfer-encoding"] === undefined && encodings === 0
  return isFramed && Number(length) <= Math.min(limit, maxAtOnce)
}

/** Reads an empty body, so that its connection can be used again. Closes the connection of another one. */
export const close = (response: Response): Effect.Effect<void> =>
  Effect.ignore(Effect.raceFirst(collect(response.stream, 0), Effect.yieldNow))

/** Decodes UTF-8 without a BOM. Fails if the body exceeds `limit` bytes, as sent or decompressed. Decompresses up to three codings. */
export const text = (response: Response, headers: Headers.Headers, limit: number): Effect.Effect<string, BodyError> => {
  if (Number(headers["content-length"]) > limit) return Effect.andThen(close(response), tooLarge(limit))
  const encodings = Math.min(3, countEncodings(headers["content-encoding"]))
  const read: Effect.Effect<Bytes, BodyError> = isBounded(headers, encodings, limit)
    ? Effect.flatMap(response.arrayBuffer, (buffer) =>
        // `transformClient` may change the body.
        buffer.byteLength > limit ? tooLarge(limit) : Effect.succeed(new Uint8Array(take(buffer))),
      )
    : collect(response.stream, limit)
  const bytes = Effect.catchIf(
    read,
    // Some clients fail for a response without a body.
    (error) => error._tag === "HttpClientError" && error.reason._tag === "EmptyBodyError",
    () => Effect.succeed(new Uint8Array()),
  )
  const decompressed = Effect.flatMap(bytes, (part) => decompress(part, encodings, limit))
  return Effect.map(decompressed, (all) => new TextDecoder().decode(all))
}

/** Names the encoding in the error, because some HTTP clients do not decode encodings such as Brotli. */
export const json = (body: string, encoding: string | undefined): Result.Result<unknown, Issue> =>
  Result.try({
    try: (): unknown => JSON.parse(body),
    catch: () => ({ path: "", problem: `is not JSON${encoding ? ` (content-encoding: ${encoding})` : ""}` }),
  })

/** Reads bodies: decompressed, up to a limit, as text and as JSON. */
import type * as Headers from "effect/http/Headers"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Bytes from "effect/Bytes"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Issue } from "../Decoder.js"
import * as Reason from "../Reason.js"

type Response = HttpClientResponse.HttpClientResponse

export type Content = Uint8Array<ArrayBuffer>

export type BodyError = Reason.BodyTooLarge | Reason.Decode | HttpClientError.HttpClientError

const tooLarge = (limit: number) => new Reason.BodyTooLarge({ limit })

/** Fails as soon as there are more than `limit` bytes. */
const collect = <E>(
  stream: Stream.Stream<Uint8Array, E>,
  limit: number,
): Effect.Effect<Content, Reason.BodyTooLarge | E> =>
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
    return Effect.map(read, () => Bytes.concat(parts))
  })

/** The effective names in a `content-encoding`, innermost first (RFC 9110, section 8.4). At most three are decoded. */
const encodingsOf = (header = ""): ReadonlyArray<string> =>
  header
    .split(",")
    .filter((name) => !/^\s*(identity\s*)?$/i.test(name))
    .slice(-3)

type Done = (error: { readonly name: string } | null, result: Content) => void

/** The part of `node:zlib` that is used. */
type Zlib = Readonly<
  Record<"inflateRaw" | "unzip", (bytes: Content, options: { readonly maxOutputLength: number }, done: Done) => void>
>

const inflate = (zlib: Zlib, method: keyof Zlib, bytes: Content, limit: number): Effect.Effect<Content, BodyError> =>
  Effect.callback((resume) => {
    // One byte more, because zlib allows no limit of zero.
    zlib[method](bytes, { maxOutputLength: Math.min(limit, 2 ** 31) + 1 }, (error, result) => {
      // The error of workerd has no code.
      if (error === null ? result.byteLength > limit : error.name === "RangeError") return resume(tooLarge(limit))
      if (error === null) return resume(Effect.succeed(result))
      return resume(new Reason.Decode({ path: "", problem: "cannot be decompressed" }))
    })
  })

/** Node, Deno and Bun have zlib, and Workers with `nodejs_compat`. Elsewhere, clients decompress. `DecompressionStream` fails for gzip of several members. */
const loadZlib = (): Zlib | undefined => {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => Zlib } }
  return process?.getBuiltinModule?.("node:zlib")
}

/** By the first two bytes, because fetch keeps the header after it decompresses. No JSON begins like them. */
const isZipped = ([first = 0, second = 0]: Content): boolean =>
  (first === 0x1f && second === 0x8b) || (first === 0x78 && (first * 256 + second) % 31 === 0)

const decompress = (
  bytes: Content,
  encodings: ReadonlyArray<string>,
  limit: number,
): Effect.Effect<Content, BodyError> => {
  const isRaw = !isZipped(bytes) && /deflate/i.test(encodings.at(-1) ?? "")
  const zlib = encodings.length > 0 && (isRaw || isZipped(bytes)) ? loadZlib() : undefined
  if (zlib === undefined) return Effect.succeed(bytes)
  const inner = inflate(zlib, isRaw ? "inflateRaw" : "unzip", bytes, limit)
  return Effect.flatMap(
    // Some servers send deflate without the format of zlib, which begins like other bodies.
    isRaw ? Effect.catchTag(inner, "Decode", () => Effect.succeed(bytes)) : inner,
    (inner) => decompress(inner, encodings.slice(0, -1), limit),
  )
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
const isBounded = (headers: Headers.Headers, isEncoded: boolean, limit: number): boolean => {
  const length = headers["content-length"] ?? ""
  const isFramed = /^\d+$/.test(length) && headers["transfer-encoding"] === undefined && !isEncoded
  return isFramed && Number(length) <= Math.min(limit, maxAtOnce)
}

/** Reads an empty body, so that its connection can be used again. Closes the connection of another one. */
export const close = (response: Response): Effect.Effect<void> =>
  Effect.ignore(Effect.raceFirst(collect(response.stream, 0), Effect.yieldNow))

/** Fails if the body exceeds `limit` bytes, as sent or decompressed. Decompresses up to three codings. */
export const bytes = (
  response: Response,
  headers: Headers.Headers,
  limit: number,
): Effect.Effect<Content, BodyError> => {
  if (Number(headers["content-length"]) > limit) return Effect.andThen(close(response), tooLarge(limit))
  const encodings = encodingsOf(headers["content-encoding"])
  const read: Effect.Effect<Content, BodyError> = isBounded(headers, encodings.length > 0, limit)
    ? Effect.flatMap(response.arrayBuffer, (buffer) =>
        // `transformClient` may change the body.
        buffer.byteLength > limit ? tooLarge(limit) : Effect.succeed(new Uint8Array(take(buffer))),
      )
    : collect(response.stream, limit)
  const sent = Effect.catchIf(
    read,
    // Some clients fail for a response without a body.
    (error) => error._tag === "HttpClientError" && error.reason._tag === "EmptyBodyError",
    () => Effect.succeed(new Uint8Array()),
  )
  return Effect.flatMap(sent, (part) => decompress(part, encodings, limit))
}

/** Decodes UTF-8 without a BOM. */
export const text = (bytes: Content): string => new TextDecoder().decode(bytes)

/** Names the encoding in the error, because some HTTP clients do not decode encodings such as Brotli. */
export const json = (body: string, encoding: string | undefined): Result.Result<unknown, Issue> =>
  Result.try({
    try: (): unknown => JSON.parse(body),
    catch: () => ({
      path: "",
      problem: body === "" ? "is empty" : `is not JSON${encoding ? ` (content-encoding: ${encoding})` : ""}`,
    }),
  })

/** Reads bodies: decompressed, up to a limit, as text and as JSON. */
import type * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Channel from "effect/Channel"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { Issue } from "../Decoder.js"

type Response = HttpClientResponse.HttpClientResponse

/** The body is larger than the limit. */
export class TooLarge extends Data.TaggedError("TooLarge") {}

/** The compressed body is invalid. */
class Undecodable extends Data.TaggedError("Undecodable") {}

/** Why a body cannot be read. */
export type BodyError = TooLarge | Undecodable | HttpClientError.ResponseError

const join = (parts: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const [first] = parts
  if (first !== undefined && parts.length === 1) return first
  const whole = new Uint8Array(size)
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.byteLength
  }
  return whole
}

/** All bytes of a stream, which ends as soon as there are more than `limit`. Pulled by hand: a sink does twice as much for each part. */
const collect = <E>(stream: Stream.Stream<Uint8Array, E>, limit: number): Effect.Effect<Uint8Array, TooLarge | E> =>
  Effect.scoped(
    Effect.flatMap(Channel.toPull(Stream.toChannel(stream)), (pull) => {
      const parts: Array<Uint8Array> = []
      let size = 0
      const rest: Effect.Effect<Uint8Array, TooLarge | E> = Effect.flatMap(pull, (pulled) => {
        if (Either.isLeft(pulled)) return Effect.succeed(join(parts, size))
        for (const part of pulled.right) {
          parts.push(part)
          size += part.byteLength
          if (size > limit) return Effect.fail(new TooLarge())
        }
        return rest
      })
      return rest
    }),
  )

/** How many names in a `content-encoding` mean something (RFC 9110, 8.4). */
const codings = (header = ""): number => header.split(",").filter((name) => !/^\s*(identity\s*)?$/i.test(name)).length

/** Compressed bytes are known by their first two, because fetch keeps the header on what it has decompressed. No JSON begins like them. */
const formatOf = ([first = 0, second = 0]: Uint8Array): "gzip" | "deflate" | undefined => {
  if (first === 0x1f && second === 0x8b) return "gzip"
  return first === 0x78 && (first * 256 + second) % 31 === 0 ? "deflate" : undefined
}

const decompress = (
  bytes: Uint8Array,
  times: number,
  limit: number,
): Effect.Effect<Uint8Array, TooLarge | Undecodable> => {
  const format = times > 0 ? formatOf(bytes) : undefined
  if (format === undefined) return Effect.succeed(bytes)
  const stream = Stream.fromReadableStream({
    // A copy, as the bytes may be a view of a shared buffer.
    evaluate: () => new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream(format)),
    onError: () => new Undecodable(),
  })
  return Effect.flatMap(collect(stream, limit), (inner) => decompress(inner, times - 1, limit))
}

const isEmptyBody = (error: BodyError): boolean => error._tag === "ResponseError" && error.reason === "EmptyBody"

/** Closes the connection of a body that is not read. */
const abandon = (response: Response): Effect.Effect<void> =>
  Effect.ignore(Effect.raceFirst(collect(response.stream, 0), Effect.yieldNow()))

/** The body as text, without a BOM, invalid UTF-8 as U+FFFD. Reading stops as soon as it exceeds `limit` bytes, as sent or decompressed.
 * Up to three codings are decompressed. */
export const text = (response: Response, limit: number): Effect.Effect<string, BodyError> =>
  Effect.suspend((): Effect.Effect<string, BodyError> => {
    const { headers } = response
    if (Number(headers["content-length"] ?? 0) > limit) return Effect.zipRight(abandon(response), new TooLarge())
    // Some clients fail for a response without a body, others return no bytes.
    const sent = Effect.catchIf(collect(response.stream, limit), isEmptyBody, () => Effect.succeed(new Uint8Array()))
    return Effect.map(
      Effect.flatMap(sent, (bytes) => decompress(bytes, Math.min(3, codings(headers["content-encoding"])), limit)),
      (bytes) => new TextDecoder().decode(bytes),
    )
  })

/** Reads a small body that is not needed, or closes its connection, so that the connection is free again soon. */
export const discard = (response: Response): Effect.Effect<void> =>
  Effect.ignore(Effect.timeout(collect(response.stream, 1024), "2 seconds"))

/** The JSON of a body. Some HTTP clients do not decode encodings such as Brotli, so that the error names the encoding. */
export const json = (body: string, encoding: string | undefined): Either.Either<unknown, Issue> =>
  Either.try({
    try: (): unknown => JSON.parse(body),
    catch: () => ({ path: "", reason: `is not JSON${encoding ? ` (content-encoding: ${encoding})` : ""}` }),
  })

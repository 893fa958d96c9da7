/** Reads a body as text, counting as it comes, decompressed. */
import type * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Channel from "effect/Channel"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as coding from "./coding.js"

/** The body is longer than it may be. */
export class TooLarge extends Data.TaggedError("TooLarge") {}

/** What can go wrong with a body. */
export type BodyError = TooLarge | coding.Undecodable | HttpClientError.ResponseError

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

/** All of a stream's bytes; it is stopped as soon as there are more than `limit`. Pulled by hand: a sink does twice as much for each part. */
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

/** The bytes without their codings, the outermost first; some clients have taken them off already. */
const decoded = (
  bytes: Uint8Array,
  codings: number,
  limit: number,
): Effect.Effect<Uint8Array, TooLarge | coding.Undecodable> => {
  const format = codings > 0 ? coding.formatOf(bytes) : undefined
  return format === undefined
    ? Effect.succeed(bytes)
    : Effect.flatMap(collect(coding.decompress(bytes, format), limit), (inner) => decoded(inner, codings - 1, limit))
}

const isEmptyBody = (error: BodyError): boolean => error._tag === "ResponseError" && error.reason === "EmptyBody"

/** Gives a body up that nobody wants, whatever is still to come of it: its connection is closed. */
const abandon = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<void> =>
  Effect.ignore(Effect.raceFirst(collect(response.stream, 0), Effect.yieldNow()))

const bytes = (response: HttpClientResponse.HttpClientResponse, limit: number): Effect.Effect<Uint8Array, BodyError> =>
  Effect.suspend(() => {
    const { headers } = response
    if (Number(headers["content-length"] ?? 0) > limit) return Effect.zipRight(abandon(response), new TooLarge())
    const codings = coding.count(headers["content-encoding"])
    // Some clients say so of an answer without a body; others hand out one of no bytes.
    const sent = Effect.catchIf(collect(response.stream, limit), isEmptyBody, () => Effect.succeed(new Uint8Array()))
    return codings === 0 ? sent : Effect.flatMap(sent, (all) => decoded(all, codings, limit))
  })

/**
 * The body as text, a BOM dropped and invalid UTF-8 as U+FFFD; reading stops as soon as it exceeds `limit` bytes, as sent
 * or decompressed.
 */
export const text = (
  response: HttpClientResponse.HttpClientResponse,
  limit: number,
): Effect.Effect<string, BodyError> => Effect.map(bytes(response, limit), (all) => new TextDecoder().decode(all))

/** Reads what little there is of a body that nobody wants, or gives it up: either way its connection is free again, soon. */
export const discard = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<void> =>
  Effect.ignore(Effect.timeout(collect(response.stream, 1024), "2 seconds"))

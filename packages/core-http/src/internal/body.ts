/** Reads a body as text, counting as it comes. */
import type * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** The body is longer than it may be. */
export class TooLarge extends Data.TaggedError("TooLarge") {}

const join = (parts: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const whole = new Uint8Array(size)
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.byteLength
  }
  return whole
}

/** The body as text, a BOM dropped and invalid UTF-8 as U+FFFD; reading stops as soon as it exceeds `limit` bytes. */
export const text = (
  response: HttpClientResponse.HttpClientResponse,
  limit: number,
): Effect.Effect<string, TooLarge | HttpClientError.ResponseError> =>
  Effect.suspend(() => {
    const parts: Array<Uint8Array> = []
    let size = 0
    return response.stream.pipe(
      Stream.runForEach((part) => {
        parts.push(part)
        size += part.byteLength
        return size > limit ? new TooLarge() : Effect.void
      }),
      Effect.map(() => new TextDecoder().decode(join(parts, size))),
    )
  })

/** Reads what little there is of a body that nobody wants, or gives it up: either way its connection is free again. */
export const discard = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<void> =>
  Effect.ignore(Effect.timeout(text(response, 1024), "2 seconds"))

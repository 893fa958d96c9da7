/** Bodies that are produced while a client reads them. */
import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Uses the system clock: a client's socket does not wait for a `TestClock`. */
export const sleep = (millis: number): Effect.Effect<void> =>
  Effect.promise((signal) => setTimeout(millis, undefined, { signal }))

export const dripping = (piece: Uint8Array, everyMillis: number): Stream.Stream<Uint8Array> =>
  Stream.concat(Stream.make(piece), Stream.fromEffectRepeat(Effect.as(sleep(everyMillis), piece)))

const before = new TextEncoder().encode('{"value":[')
const after = new TextEncoder().encode("]}")
const block = new Uint8Array(65_536).fill(0x20)

export const emptyPage = (size: number): Stream.Stream<Uint8Array> => {
  const padding = Math.max(0, size - before.length - after.length)
  const blocks = Stream.unfold(padding, (left) =>
    Effect.succeed(left === 0 ? undefined : ([block.subarray(0, left), Math.max(0, left - block.length)] as const)),
  )
  return Stream.make(before).pipe(Stream.concat(blocks), Stream.concat(Stream.make(after)))
}

export const compressed = (body: Stream.Stream<Uint8Array>): Stream.Stream<Uint8Array> =>
  Stream.fromReadableStream({
    evaluate: () => Stream.toReadableStream(body).pipeThrough(new CompressionStream("gzip")),
    onError: (cause) => cause,
  }).pipe(Stream.orDie)

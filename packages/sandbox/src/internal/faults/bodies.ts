/** Bodies that are produced while a client reads them. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

const clock = Clock.make()

/** Uses the system clock: a client's socket does not wait for a `TestClock`. */
export const sleep = (millis: number): Effect.Effect<void> => Effect.withClock(Effect.sleep(millis), clock)

export const dripping = (piece: Uint8Array, everyMillis: number): Stream.Stream<Uint8Array> =>
  Stream.concat(Stream.make(piece), Stream.repeatEffect(Effect.as(sleep(everyMillis), piece)))

const before = new TextEncoder().encode('{"value":[')
const after = new TextEncoder().encode("]}")
const block = new Uint8Array(65_536).fill(0x20)

export const emptyPage = (size: number): Stream.Stream<Uint8Array> => {
  const padding = Math.max(0, size - before.length - after.length)
  const blocks = Stream.unfold(padding, (left) =>
    left === 0 ? Option.none() : Option.some([block.subarray(0, left), Math.max(0, left - block.length)] as const),
  )
  return Stream.make(before).pipe(Stream.concat(blocks), Stream.concat(Stream.make(after)))
}

export const compressed = (body: Stream.Stream<Uint8Array>): Stream.Stream<Uint8Array> =>
  Stream.fromReadableStream(
    () => Stream.toReadableStream(body).pipeThrough(new CompressionStream("gzip")),
    (cause) => cause,
  ).pipe(Stream.orDie)

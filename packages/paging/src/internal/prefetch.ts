/** Fetches pages in a fiber of their own while the consumer is busy with earlier ones. */
import * as Channel from "effect/Channel"
import type * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as Take from "effect/Take"

/** Waits until the next page may be fetched. `fetched` is the number of pages fetched so far. */
export type Gate = (fetched: number) => Effect.Effect<void>

/** Never waits: the consumer's demand decides. */
export const noGate: Gate = () => Effect.void

/** Runs `pages` up to `depth` pages ahead of the consumer. Ends, failures and interruptions arrive after every page before them. */
export const prefetch = <A, E, R>(
  depth: number,
  pages: (gate: Gate) => Stream.Stream<A, E, R>,
): Stream.Stream<A, E, R> =>
  // The scope is for the fiber alone: a `next` that needs a scope gets its caller's. `Stream.unwrapScopedWith` would bring all of
  // `Stream.flatMap` into every bundle.
  Channel.unwrapScopedWith((scope) =>
    Effect.gen(function* () {
      // An array, and a queue that only signals: V8 promotes values offered to a waiting queue to the old generation (28 % of the time of
      // `pnpm bench race` with the option `prefetch`).
      const fetched: Array<Take.Take<A, E>> = []
      const signal = yield* Queue.sliding<void>(1)
      const add = (take: Take.Take<A, E>) => {
        fetched.push(take)
        return Queue.offer(signal, undefined)
      }
      const permits = yield* Queue.unbounded<void>()
      const gate: Gate = (fetched) => (fetched < depth ? Effect.void : Queue.take(permits))

      yield* Stream.runForEachChunk(pages(gate), (chunk) => add(Take.chunk(chunk))).pipe(
        Effect.onExit((exit) => add(Exit.isSuccess(exit) ? Take.end : Take.failCause(exit.cause))),
        Effect.forkIn(scope),
      )

      const take: Effect.Effect<Chunk.Chunk<A>, Option.Option<E>> = Effect.suspend(() => {
        const first = fetched.shift()
        return first === undefined ? Effect.zipRight(Queue.take(signal), take) : Take.done(first)
      })
      // Yields first, so that the next fetch starts even if the consumer then blocks the thread.
      const permit = Effect.forEach(() => Effect.zipRight(Queue.offer(permits, undefined), Effect.yieldNow()), {
        discard: true,
      })
      return Stream.toChannel(Stream.repeatEffectChunkOption(Effect.tap(take, permit)))
    }),
  ).pipe(Stream.fromChannel)

/** Reading ahead: a fiber fetches pages while the consumer is busy with those before them. */
import * as Channel from "effect/Channel"
import type * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as Take from "effect/Take"

/** What a fetch waits for, which comes after so many others. */
export type Gate = (before: number) => Effect.Effect<void>

/** Nothing is waited for: a fetch is as early as it is asked for. */
export const open: Gate = () => Effect.void

/**
 * The pages of `serial`, of which at most `depth` are fetched that the consumer has not got. `serial` is to pass the gate
 * before each fetch. Ends, failures and interruptions come in their place, after every page before them.
 */
export const ahead = <A, E, R>(depth: number, serial: (gate: Gate) => Stream.Stream<A, E, R>): Stream.Stream<A, E, R> =>
  // The scope of the stream is for its fiber alone: a `next` that needs a scope gets that of its caller. It is a channel's, as
  // `Stream.unwrapScopedWith` would bring all of `Stream.flatMap` into every bundle.
  Channel.unwrapScopedWith((scope) =>
    Effect.gen(function* () {
      // Pages in an array, and a queue that only signals them: V8 promotes values that a waiting queue is given to the old generation (28 % of
      // the time of `pnpm bench race` with `prefetch`).
      const fetched: Array<Take.Take<A, E>> = []
      const news = yield* Queue.sliding<void>(1)
      const add = (take: Take.Take<A, E>) => {
        fetched.push(take)
        return Queue.offer(news, undefined)
      }
      // The gate bounds both: what was fetched, and what may be.
      const permits = yield* Queue.unbounded<void>()
      const gate: Gate = (before) => (before < depth ? Effect.void : Queue.take(permits))

      yield* Stream.runForEachChunk(serial(gate), (pages) => add(Take.chunk(pages))).pipe(
        Effect.onExit((exit) => add(Exit.isSuccess(exit) ? Take.end : Take.failCause(exit.cause))),
        Effect.forkIn(scope),
      )

      const take: Effect.Effect<Chunk.Chunk<A>, Option.Option<E>> = Effect.suspend(() => {
        const first = fetched.shift()
        return first === undefined ? Effect.zipRight(Queue.take(news), take) : Take.done(first)
      })
      // A consumer may hold the thread from here on: by yielding first, the fetch that a page allows is under way.
      const allow = Effect.forEach(() => Effect.zipRight(Queue.offer(permits, undefined), Effect.yieldNow()), {
        discard: true,
      })
      return Stream.toChannel(Stream.repeatEffectChunkOption(Effect.tap(take, allow)))
    }),
  ).pipe(Stream.fromChannel)

/** Reading ahead: a fiber fetches pages while the consumer is busy with those before them. */
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as Take from "effect/Take"

/** What a fetch waits for, which comes after so many others. */
export type Gate = (before: number) => Effect.Effect<unknown>

/**
 * The pages of `serial`, of which at most `depth` are fetched that the consumer has not got, each reported as it is handed over.
 * `serial` is to pass the gate before each fetch. Ends, failures and interruptions come in their place, after every page before them.
 */
export const ahead = <A, E, R>(
  depth: number,
  serial: (gate: Gate) => Stream.Stream<A, E, R>,
  report: (page: A) => Effect.Effect<unknown>,
): Stream.Stream<A, E, R> =>
  // The scope of the stream is for its fiber alone: a `next` that needs a scope gets that of its caller. It is a channel's, as
  // `Stream.unwrapScopedWith` would bring all of `Stream.flatMap` into every bundle.
  Channel.unwrapScopedWith((scope) =>
    Effect.gen(function* () {
      // What was fetched, beside a queue of how much that was: what an effect refers to that a stream runs, or what is given to who waits
      // at a queue, is old at once, and collected seldom (docs/benchmarks).
      const fetched: Array<Take.Take<A, E>> = []
      const counts = yield* Queue.unbounded<number>()
      const add = (take: Take.Take<A, E>) => Queue.offer(counts, fetched.push(take))
      // The gate bounds both: what was fetched, and what may be.
      const permits = yield* Queue.unbounded<1>()
      const gate: Gate = (before) => (before < depth ? Effect.void : Queue.take(permits))

      yield* Stream.runForEachChunk(serial(gate), (pages) => add(Take.chunk(pages))).pipe(
        Effect.onExit((exit) => add(Exit.match(exit, { onFailure: Take.failCause, onSuccess: () => Take.end }))),
        Effect.forkIn(scope),
      )

      // A consumer may hold the thread from here on: by yielding first, the fetch that this page allows is under way.
      const handOver = (page: A) =>
        Effect.zipRight(Effect.zipRight(Queue.offer(permits, 1), Effect.yieldNow()), report(page))
      const pages = Queue.take(counts).pipe(
        Effect.flatMap(() => Take.done(fetched.shift() ?? Take.end)),
        Effect.tap(Effect.forEach(handOver, { discard: true })),
      )
      return Stream.toChannel(Stream.repeatEffectChunkOption(pages))
    }),
  ).pipe(Stream.fromChannel)

/** Reading ahead: a fiber fetches pages while the consumer is busy with those before them. */
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
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
      // The gate bounds both: what was fetched, and what may be.
      const fetched = yield* Queue.unbounded<Take.Take<A, E>>()
      const permits = yield* Queue.unbounded<void>()
      const gate: Gate = (before) => (before < depth ? Effect.void : Queue.take(permits))

      yield* Stream.runForEachChunk(serial(gate), (pages) => Queue.offer(fetched, Take.chunk(pages))).pipe(
        Effect.onExit((exit) =>
          Queue.offer(fetched, Exit.match(exit, { onFailure: Take.failCause, onSuccess: () => Take.end })),
        ),
        Effect.forkIn(scope),
      )

      // A consumer may hold the thread from here on: by yielding first, the fetch that this page allows is under way.
      const allow = (pages: Chunk.Chunk<A>) => {
        const allowed = Chunk.map(pages, () => undefined)
        return Chunk.isEmpty(pages) ? Effect.void : Effect.zipRight(Queue.offerAll(permits, allowed), Effect.yieldNow())
      }
      const pages = Queue.take(fetched).pipe(Effect.flatMap(Take.done), Effect.tap(allow))
      return Stream.toChannel(Stream.repeatEffectChunkOption(pages))
    }),
  ).pipe(Stream.fromChannel)

/** Claims work when it is due, and runs several pieces of it at once. */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import { orWarn } from "./problems.js"

/** For finalizers. Runs in a fiber of its own: one that was interrupted does not stop waiting at a timeout. Ignores failures. */
export const atMost = <A, E, R>(limit: Duration.Input, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.forkDetach(Effect.interruptible(Effect.timeout(effect, limit))), Fiber.await)

interface Settings<A, E, R, R2> {
  /** What the pieces are, for warnings, such as `polls`. */
  readonly pieces: string
  readonly concurrency: number
  /** Claims at most `limit` pieces. */
  readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
  readonly keyOf: (piece: A) => string
  /** The tokens of the pieces that run, by their keys. Several workers may share it. */
  readonly running: Map<string, string>
  readonly run: (piece: A) => Effect.Effect<unknown, never, R2>
}

/** One statement claims several pieces. When pieces end one by one, a claim waits a moment for the next ones. */
const batch = { max: 16, wait: "50 millis" } as const

/** Never ends. When it is interrupted, it claims nothing more, and waits for at most 10 seconds for what runs. */
export const work = Effect.fnUntraced(function* <A extends { readonly token: string }, E, R, R2>(
  settings: Settings<A, E, R, R2>,
) {
  const { claim, concurrency, keyOf, pieces, run, running } = settings
  const fibers = yield* FiberSet.make<unknown>()
  yield* Effect.addFinalizer(() => atMost("10 seconds", FiberSet.awaitEmpty(fibers)))
  const [someFree, manyFree] = [Latch.makeUnsafe(true), Latch.makeUnsafe(true)]
  const many = Math.min(batch.max, Math.ceil(concurrency / 2))
  let own = 0
  const start = (piece: A) => {
    const key = keyOf(piece)
    own += 1
    running.set(key, piece.token)
    const end = Effect.sync(() => {
      own -= 1
      running.delete(key)
      someFree.openUnsafe()
      if (concurrency - own >= many) manyFree.openUnsafe()
    })
    return FiberSet.run(fibers, Effect.ensuring(run(piece), end))
  }
  return yield* Effect.suspend(() => claim(Math.min(batch.max, concurrency - own))).pipe(
    // A runner without work would fill a trace with claims.
    Effect.withTracerEnabled(false),
    orWarn(`claim ${pieces}`),
    Effect.flatMap((claimed = []) =>
      claimed.length === 0 ? Effect.sleep("500 millis") : Effect.forEach(claimed, start, { discard: true }),
    ),
    Effect.flatMap(() => {
      if (own < concurrency) return Effect.void
      someFree.closeUnsafe()
      manyFree.closeUnsafe()
      return Effect.andThen(someFree.await, Effect.timeoutOption(manyFree.await, batch.wait))
    }),
    Effect.forever,
  )
}, Effect.scoped)

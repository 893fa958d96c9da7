/** Claims work when it is due, and runs several pieces of it at once. */
import * as Latch from "effect/Latch"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"

interface Settings<A, E, R, R2> {
  readonly concurrency: number
  /** Claims at most `limit` pieces. `running` are the keys of those that run here. */
  readonly claim: (running: ReadonlyArray<string>, limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
  readonly keyOf: (piece: A) => string
  readonly run: (piece: A) => Effect.Effect<unknown, never, R2>
  readonly onError: (error: E) => Effect.Effect<void>
}

/** Never ends. When it is interrupted, it claims nothing more, and waits for at most 10 seconds for what runs. */
export const work = Effect.fnUntraced(function* <A, E, R, R2>({
  claim,
  concurrency,
  keyOf,
  onError,
  run,
}: Settings<A, E, R, R2>) {
  const fibers = yield* FiberSet.make<void>()
  const fork = yield* FiberSet.runtime(fibers)<R2>()
  const running = new Set<string>()
  // In a fiber of its own, because an interrupted fiber does not stop waiting at a timeout.
  const lastWait = Effect.forkDetach(
    Effect.interruptible(Effect.timeoutOption(FiberSet.awaitEmpty(fibers), "10 seconds")),
  )
  yield* Effect.addFinalizer(() => Effect.flatMap(lastWait, Fiber.await))
  const free = Latch.makeUnsafe(true)
  const start = (piece: A) => {
    const key = keyOf(piece)
    running.add(key)
    fork(
      Effect.ensuring(
        Effect.asVoid(run(piece)),
        Effect.sync(() => {
          running.delete(key)
          free.openUnsafe()
        }),
      ),
    )
  }
  return yield* Effect.suspend(() => claim([...running], concurrency - running.size)).pipe(
    // A runner without work would fill a trace with claims.
    Effect.withTracerEnabled(false),
    Effect.catch((error) => Effect.as(onError(error), [])),
    Effect.flatMap((claimed) => {
      for (const piece of claimed) start(piece)
      if (running.size >= concurrency) free.closeUnsafe()
      return claimed.length === 0 ? Effect.sleep("500 millis") : Effect.void
    }),
    Effect.andThen(free.await),
    Effect.forever,
  )
}, Effect.scoped)

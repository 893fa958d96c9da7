/** Claims work whenever it is due, and runs several pieces of it at once. */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"

interface Settings<A, K, E, R, R2> {
  readonly concurrency: number
  /** Claims at most `limit` pieces, none of the known ones. */
  readonly claim: (known: ReadonlyArray<K>, limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
  readonly keyOf: (work: A) => K
  /** Its failures are its own affair. */
  readonly run: (work: A) => Effect.Effect<unknown, never, R2>
  readonly onError: (error: E) => Effect.Effect<void>
}

/** Never ends. When it is interrupted, it claims nothing more, and waits for at most 10 seconds for what runs. */
export const work = <A, K, E, R, R2>({ claim, concurrency, keyOf, onError, run }: Settings<A, K, E, R, R2>) =>
  Effect.gen(function* () {
    const fibers = yield* FiberSet.make<void>()
    const fork = yield* FiberSet.runtime(fibers)<R2>()
    const running = new Set<K>()
    // Finalizers are not interruptible, so that the timeout would wait as well.
    yield* Effect.addFinalizer(() =>
      Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(fibers)), "10 seconds"),
    )
    const free = Effect.unsafeMakeLatch(true)
    const start = (piece: A) => {
      const key = keyOf(piece)
      running.add(key)
      fork(
        Effect.ensuring(
          Effect.asVoid(run(piece)),
          Effect.sync(() => {
            running.delete(key)
            free.unsafeOpen()
          }),
        ),
      )
    }
    return yield* Effect.suspend(() => claim([...running], concurrency - running.size)).pipe(
      Effect.catchAll((error) => Effect.as(onError(error), [])),
      Effect.flatMap((claimed) => {
        for (const piece of claimed) start(piece)
        if (running.size >= concurrency) free.unsafeClose()
        return claimed.length === 0 ? Effect.sleep("500 millis") : Effect.void
      }),
      Effect.zipRight(free.await),
      Effect.forever,
    )
  }).pipe(Effect.scoped)

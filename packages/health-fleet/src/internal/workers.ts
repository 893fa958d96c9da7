/** Claims work when it is due, and runs several pieces of it at once. */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import { atMost } from "./atMost.js"
import { orWarn } from "./database.js"

interface Settings<A, E, R, R2> {
  /** What the pieces are, for warnings, such as `polls`. */
  readonly pieces: string
  readonly concurrency: number
  /** Claims at most `limit` pieces. `running` are the keys of those that run here. */
  readonly claim: (running: ReadonlyArray<string>, limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
  readonly keyOf: (piece: A) => string
  readonly run: (piece: A) => Effect.Effect<unknown, never, R2>
}

/** Never ends. When it is interrupted, it claims nothing more, and waits for at most 10 seconds for what runs. */
export const work = Effect.fnUntraced(function* <A, E, R, R2>({
  claim,
  concurrency,
  keyOf,
  pieces,
  run,
}: Settings<A, E, R, R2>) {
  const fibers = yield* FiberSet.make<unknown>()
  yield* Effect.addFinalizer(() => atMost("10 seconds", FiberSet.awaitEmpty(fibers)))
  const running = new Set<string>()
  const free = Latch.makeUnsafe(true)
  const start = (piece: A) => {
    const key = keyOf(piece)
    running.add(key)
    const end = Effect.sync(() => {
      running.delete(key)
      free.openUnsafe()
    })
    return FiberSet.run(fibers, Effect.ensuring(run(piece), end))
  }
  return yield* Effect.suspend(() => claim([...running], concurrency - running.size)).pipe(
    // A runner without work would fill a trace with claims.
    Effect.withTracerEnabled(false),
    orWarn(`claim ${pieces}`),
    Effect.flatMap((claimed = []) =>
      claimed.length === 0 ? Effect.sleep("500 millis") : Effect.forEach(claimed, start, { discard: true }),
    ),
    Effect.flatMap(() => {
      if (running.size >= concurrency) free.closeUnsafe()
      return free.await
    }),
    Effect.forever,
  )
}, Effect.scoped)

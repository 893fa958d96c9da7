/** Events that are nested thousands of levels deep, which cannot be compared or stored. */
import * as Effect from "effect/Effect"
import { WatchStoreError } from "../WatchStore.js"

/** Fails if an event is nested too deep. */
export const guard = <A>(evaluate: () => A): Effect.Effect<A, WatchStoreError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(evaluate())
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return Effect.fail(new WatchStoreError({ operation: "save", reason: "tooDeep" }))
    }
  })

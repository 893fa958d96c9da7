/** Saves the state of a sink, once for all that wait for it. */
import * as Semaphore from "effect/Semaphore"
import * as Effect from "effect/Effect"
import type { DeliveryStoreError } from "../DeliveryStoreError.js"
import * as sinkStore from "./sinkStore.js"

/** `text` returns the state as it is then. */
export const make = (location: sinkStore.Location | undefined, text: () => string) => {
  const saving = Semaphore.makeUnsafe(1)
  let version = 0
  let savedVersion = 0

  const save: Effect.Effect<void, DeliveryStoreError> = Effect.suspend(() => {
    if (location === undefined) return Effect.void
    const required = version
    return saving.withPermits(1)(
      Effect.suspend(() => {
        if (savedVersion >= required) return Effect.void
        const current = version
        return Effect.map(sinkStore.save(location, text()), () => {
          savedVersion = current
        })
      }),
    )
  })

  return {
    version: () => version,
    /** Records that the state has changed. */
    change: (): void => {
      version += 1
    },
    save,
    /** What is not saved now is saved with the next change. Until then, a restart would deliver it again. */
    saveOrWarn: Effect.catch(save, (error) => Effect.logWarning(error.message, error.cause)),
    /** Whether a version needs no save. */
    isSaved: (wanted: number): boolean => location === undefined || savedVersion >= wanted,
  }
}

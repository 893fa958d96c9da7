/** A stored state that is rolled back if the reader of stdout is gone, because the pipe may contain unread data. */
import * as Effect from "effect/Effect"
import type { Service } from "../output/Output.js"

/** Connects an output and a store. `store` writes a state, or removes the stored one without a state. */
export const make = <A, E>({ data }: Pick<Service, "data">, store: (state?: A) => Effect.Effect<void, E>) => {
  let stored: A | undefined
  /** The stored state at the last successful write. That write shows that the reader still existed after the earlier data. */
  let confirmed: A | undefined
  let isClosed = false

  /** Restores the state that was stored at the last successful write, and stores no other state. */
  const restore = Effect.suspend(() => {
    isClosed = true
    // If this fails, more is marked as delivered than is certain, but the closed pipe stays the reason why the run ends.
    return stored === confirmed ? Effect.void : Effect.ignore(store(confirmed))
  })

  return {
    restore,
    /** Sets the stored state at the start of the run. */
    start: (state: A | undefined): void => {
      stored = state
      confirmed = state
    },
    save: (state: A) =>
      Effect.suspend(() => {
        if (isClosed) return Effect.void
        return Effect.map(store(state), () => {
          stored = state
        })
      }),
    /** Writes data. If the pipe is closed, restores the state that was stored at the last successful write. */
    data: (lines: ReadonlyArray<string>) =>
      Effect.map(
        Effect.tapError(data(lines), ({ code }) => (code === "EPIPE" ? restore : Effect.void)),
        () => {
          if (lines.length > 0) confirmed = stored
        },
      ),
  }
}

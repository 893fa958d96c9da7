/** A stored state that is rolled back if the reader of stdout is gone, because the pipe may contain unread data. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { OutputError, Service } from "../output/Output.js"

export interface DeliveredState<A, E> {
  /** Sets the stored state at the start of the run. */
  readonly start: (stored: Option.Option<A>) => void
  readonly save: (state: A) => Effect.Effect<void, E>
  /** Writes data. If the pipe is closed, restores the state that was stored at the last successful write. */
  readonly data: (lines: ReadonlyArray<string>) => Effect.Effect<void, OutputError>
  /** Restores the state that was stored at the last successful write, and stores no other state. */
  readonly restore: Effect.Effect<void>
}

/** Connects an output and a store. `store` writes a state, or removes the stored one. */
export const make = <A, E>(
  { data }: Pick<Service, "data">,
  store: (state: Option.Option<A>) => Effect.Effect<void, E>,
): DeliveredState<A, E> => {
  let stored = Option.none<A>()
  /** The stored state at the last successful write. That write shows that the reader still existed after the earlier data. */
  let confirmed = stored
  let isClosed = false

  const restore = Effect.suspend(() => {
    isClosed = true
    // If this fails, more is marked as delivered than is certain, but the closed pipe stays the reason why the run ends.
    return stored === confirmed ? Effect.void : Effect.ignore(store(confirmed))
  })

  return {
    restore,
    start: (state) => {
      stored = state
      confirmed = state
    },
    save: (state) =>
      Effect.suspend(() => {
        if (isClosed) return Effect.void
        const next = Option.some(state)
        return Effect.map(store(next), () => {
          stored = next
        })
      }),
    data: (lines) =>
      Effect.map(
        Effect.tapError(data(lines), ({ code }) => (code === "EPIPE" ? restore : Effect.void)),
        () => {
          if (lines.length > 0) confirmed = stored
        },
      ),
  }
}

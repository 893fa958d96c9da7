/** Lets effects wait for what callbacks bring about. */
import * as Effect from "effect/Effect"

/** `changed` says that something happened; `until` waits until there is what it looks for. */
export interface Signal {
  readonly changed: () => void
  readonly until: <A>(look: () => A | undefined) => Effect.Effect<A>
}

export const make = (): Signal => {
  const waiting = new Set<() => void>()
  return {
    changed: () => {
      for (const look of waiting) look()
    },
    until: (find) =>
      Effect.async((resume) => {
        const look = () => {
          const found = find()
          if (found === undefined) return
          waiting.delete(look)
          resume(Effect.succeed(found))
        }
        waiting.add(look)
        look()
        return Effect.sync(() => waiting.delete(look))
      }),
  }
}

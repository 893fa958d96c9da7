/** Results that go past what their effects run in. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * Runs something around an effect, and hands out the effect's result beside it: whatever stands around it sees nothing of it. A span
 * or a race that keeps a page keeps it, and those that come after it, for many collections of garbage, each of which copies them.
 */
export const aside = <A, E, R, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  around: (inner: Effect.Effect<void, E, R>) => Effect.Effect<void, E2, R2>,
): Effect.Effect<A, E2, R2> =>
  Effect.suspend(() => {
    let held = Option.none<A>()
    const inner = Effect.map(effect, (result) => {
      held = Option.some(result)
    })
    const handOut = Effect.suspend(() => {
      const result = held
      held = Option.none()
      return Effect.orDie(result)
    })
    return Effect.zipRight(around(inner), handOut)
  })

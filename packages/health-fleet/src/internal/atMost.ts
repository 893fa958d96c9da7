/** A time limit for finalizers. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Duration from "effect/Duration"

/** Runs an effect in a fiber of its own, because an interrupted fiber does not stop waiting at a timeout. Ignores failures. */
export const atMost = <A, E, R>(limit: Duration.Input, effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
  Effect.flatMap(Effect.forkDetach(Effect.interruptible(Effect.timeout(effect, limit))), (fiber) =>
    Effect.asVoid(Fiber.await(fiber)),
  )

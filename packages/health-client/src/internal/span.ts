/** The span of an effect that makes requests. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** Runs an effect in a span, which does not get the result: exporters and tracers would keep events in memory. */
export const inSpan =
  (name: string, subscription: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.makeSpan(name, { attributes: { "health.id": subscription } }),
      (span) => Effect.withParentSpan(effect, span, { captureStackTrace: false }),
      (span, exit) =>
        Effect.clockWith((clock) => Effect.sync(() => span.end(clock.currentTimeNanosUnsafe(), Exit.asVoid(exit)))),
    )

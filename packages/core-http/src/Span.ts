/** Spans that do not get the result of their effect. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Tracer from "effect/Tracer"

/**
 * Runs an effect that uses its span, as `Effect.useSpan` does. Tracers and exporters keep spans, so they would keep a result: pages of events, or a
 * response with secrets.
 * @category tracing @since 0.3.0
 */
export const use = <A, E, R>(
  name: string,
  options: Tracer.SpanOptionsNoTrace,
  use: (span: Tracer.Span) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(Effect.makeSpan(name, options), use, (span, exit) =>
    Effect.clockWith((clock) => Effect.sync(() => span.end(clock.currentTimeNanosUnsafe(), Exit.asVoid(exit)))),
  )

/**
 * Runs an effect in a span, as `Effect.withSpan` does, without its result and without a stack trace.
 * @category tracing @since 0.3.0
 */
export const run =
  (name: string, options: Tracer.SpanOptionsNoTrace = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    // Capturing a stack trace takes as long as making the span, and would only show this file.
    use(name, options, (span) => Effect.withParentSpan(effect, span, { captureStackTrace: false }))

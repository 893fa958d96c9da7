/** Spans that do not get the result of their effect. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"

const end = (span: Tracer.Span, exit: Exit.Exit<unknown, unknown>) =>
  Effect.clockWith((clock) => Effect.sync(() => span.end(clock.currentTimeNanosUnsafe(), Exit.asVoid(exit))))

/**
 * Runs an effect that uses its span, as `Effect.useSpan` does. Tracers and exporters keep spans, so they would keep a result: pages of events, or a
 * response with secrets.
 * @category tracing @since 0.3.0
 */
export const use = <A, E, R>(
  name: string,
  options: Tracer.SpanOptionsNoTrace,
  body: (span: Tracer.Span) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> => Effect.acquireUseRelease(Effect.makeSpan(name, options), body, end)

/**
 * Runs an effect in a span, as `Effect.withSpan` does, without its result and without a stack trace.
 * @category tracing @since 0.3.0
 */
export const run =
  (name: string, options: Tracer.SpanOptionsNoTrace = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    // Capturing a stack trace takes as long as making the span, and would only show this file.
    use(name, options, (span) => Effect.withParentSpan(effect, span, { captureStackTrace: false }))

/**
 * Runs a stream in a span, as `Stream.withSpan` does, without a stack trace.
 * @category tracing @since 0.3.0
 */
export const runStream =
  (name: string, options: Tracer.SpanOptionsNoTrace = {}) =>
  <A, E, R>(stream: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> =>
    // `Stream.withSpan` would add 100 bytes to each bundle.
    Stream.unwrap(
      Effect.map(Effect.makeSpan(name, options), (span) =>
        stream.pipe(
          Stream.provideService(Tracer.ParentSpan, span),
          Stream.onExit((exit) => end(span, exit)),
        ),
      ),
    )

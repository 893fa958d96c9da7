/** Spans around answers. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"

/** Runs in a span that does not keep what comes out of it: one that keeps a page slows every later `JSON.parse` down. */
export const withSpan = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  name: string,
  options: Tracer.SpanOptions = {},
): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
  Effect.suspend(() => {
    const held: { result: Option.Option<A> } = { result: Option.none() }
    const holding = Effect.map(effect, (result) => {
      held.result = Option.some(result)
    })
    return Effect.zipRight(
      Effect.withSpan(holding, name, { ...options, captureStackTrace: false }),
      Effect.suspend(() => Effect.orDie(held.result)),
    )
  })

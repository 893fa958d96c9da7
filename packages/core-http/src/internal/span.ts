/** Spans around answers. */
import * as Effect from "effect/Effect"
import type * as Tracer from "effect/Tracer"
import { aside } from "./aside.js"

/** Runs in a span that does not keep what comes out of it. */
export const withSpan = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  name: string,
  options: Tracer.SpanOptions = {},
): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
  aside(effect, (inner) => Effect.withSpan(inner, name, { ...options, captureStackTrace: false }))

/** Spans as text, so that they can be stored (W3C Trace Context, `traceparent`). */
import * as Headers from "effect/http/Headers"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"

/** The current span; `null` if there is none. */
export const current: Effect.Effect<string | null> = Effect.match(Effect.currentSpan, {
  onSuccess: (span) => HttpTraceContext.toHeaders(span)["traceparent"] ?? null,
  onFailure: () => null,
})

export const parse = (trace: string | null): Option.Option<Tracer.ExternalSpan> =>
  trace === null ? Option.none() : HttpTraceContext.w3c(Headers.fromInput({ traceparent: trace }))

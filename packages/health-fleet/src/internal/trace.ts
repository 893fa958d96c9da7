/** Connects the spans of a poll, of the poll before it and of its deliveries, which other runners may trace. */
import * as Headers from "effect/http/Headers"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"

/** The current span, as text to store (W3C Trace Context, `traceparent`). */
export const current: Effect.Effect<string | null> = Effect.map(
  Effect.option(Effect.currentSpan),
  Option.match({
    onNone: () => null,
    onSome: (span) => HttpTraceContext.toHeaders(span)["traceparent"] ?? null,
  }),
)

const parse = (trace: string | null): Option.Option<Tracer.ExternalSpan> =>
  trace === null ? Option.none() : HttpTraceContext.w3c(Headers.fromInput({ traceparent: trace }))

/** Options of a span that continues a stored one. */
export const continueFrom = (trace: string | null): Pick<Tracer.SpanOptions, "parent"> =>
  Option.match(parse(trace), { onNone: () => ({}), onSome: (parent) => ({ parent }) })

/** Options of a span that follows a stored one, in a trace of its own. */
export const linkTo = (trace: string | null): Pick<Tracer.SpanOptions, "links"> => ({
  links: Option.toArray(parse(trace)).map((span) => ({
    _tag: "SpanLink" as const,
    span,
    attributes: {},
    context: Context.empty(),
  })),
})

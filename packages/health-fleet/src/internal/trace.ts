/** Connects the spans of a poll, of the poll before it and of its deliveries, which other runners may trace. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

/** The current span, as text to store (W3C Trace Context, `traceparent`). */
export const current: Effect.Effect<string | null> = Effect.map(Effect.option(Effect.currentSpan), (span) =>
  Option.match(span, {
    onNone: () => null,
    onSome: ({ sampled, spanId, traceId }) => `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`,
  }),
)

const parse = (trace: string | null): Option.Option<Tracer.ExternalSpan> => {
  const [, traceId, spanId, flags] = (trace ?? "").split("-")
  return traceId === undefined || spanId === undefined
    ? Option.none()
    : Option.some(Tracer.externalSpan({ traceId, spanId, sampled: flags === "01" }))
}

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

/** Spans and metrics of sent requests, by OpenTelemetry's conventions for HTTP clients. */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import type * as Tracer from "effect/Tracer"
import type { RequestReason } from "../RequestError.js"

/** Runs an effect in a span, which does not get the result: a response contains secrets. */
export const inSpan = <A, E>(
  name: string,
  options: Tracer.SpanOptionsNoTrace,
  use: (span: Tracer.Span) => Effect.Effect<A, E>,
): Effect.Effect<A, E> =>
  Effect.acquireUseRelease(Effect.makeSpan(name, options), use, (span, exit) =>
    Effect.clockWith((clock) => Effect.sync(() => span.end(clock.currentTimeNanosUnsafe(), Exit.asVoid(exit)))),
  )

/** One request and its response. */
export interface Exchange {
  readonly method: string
  readonly url: URL
  /** The URL without its secrets. */
  readonly shownUrl: string
  /** The number of earlier requests of the call. */
  readonly resend: number
  readonly call: { readonly hasTimedOut: boolean }
  /** Set when the response begins. */
  status: number | undefined
}

const requestDuration = Metric.histogram("http.client.request.duration", {
  description: "Duration of HTTP client requests.",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  attributes: { unit: "s" },
})

const errorType = (cause: Cause.Cause<RequestReason>, hasTimedOut: boolean): string =>
  Option.match(Cause.findErrorOption(cause), {
    onNone: () => (Cause.hasInterruptsOnly(cause) ? (hasTimedOut ? "Timeout" : "cancelled") : "_OTHER"),
    onSome: (error) => ("status" in error ? String(error.status) : error._tag),
  })

const requestAttributes = ({ method, url }: Exchange) => ({
  "http.request.method": method,
  "server.address": url.hostname.replaceAll(/[[\]]/g, ""),
  "server.port": Number(url.port || (url.protocol === "https:" ? 443 : 80)),
})

const responseAttributes = (
  { call, status }: Exchange,
  exit: Exit.Exit<unknown, RequestReason>,
): Record.ReadonlyRecord<string, number | string> => ({
  ...(status !== undefined && { "http.response.status_code": status }),
  ...(Exit.isFailure(exit) && { "error.type": errorType(exit.cause, call.hasTimedOut) }),
})

/** Sends a request in a span, and measures it. */
export const trace = <A>(
  exchange: Exchange,
  send: (span: Tracer.Span) => Effect.Effect<A, RequestReason>,
): Effect.Effect<A, RequestReason> =>
  Effect.clockWith((clock) => {
    const { method, resend, shownUrl } = exchange
    const request = requestAttributes(exchange)
    const attributes = {
      ...request,
      "url.full": shownUrl,
      ...(resend > 0 && { "http.request.resend_count": resend }),
    }
    const started = clock.monotonicTimeNanosUnsafe()
    return inSpan(method, { attributes, kind: "client" }, (span) =>
      Effect.onExit(send(span), (exit) =>
        Effect.suspend(() => {
          const response = responseAttributes(exchange, exit)
          for (const [name, value] of Object.entries(response)) span.attribute(name, value)
          const metric = Metric.withAttributes(requestDuration, Record.map({ ...request, ...response }, String))
          return Metric.update(metric, Duration.toSeconds(Duration.nanos(clock.monotonicTimeNanosUnsafe() - started)))
        }),
      ),
    )
  })

/** Spans and metrics of sent requests, by OpenTelemetry's conventions for HTTP clients. */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Tracer from "effect/Tracer"
import type { RequestReason } from "../RequestError.js"
import * as Span from "../Span.js"
import type { Call } from "./client.js"
import { redact } from "./redact.js"

/** One request and its response. */
export interface Exchange {
  readonly call: Call
  readonly url: URL
  /** The request as programs may print it. */
  readonly shown: HttpClientRequest.HttpClientRequest
  readonly request: HttpClientRequest.HttpClientRequest
  /** The number of earlier requests of the call. */
  readonly resend: number
  /** Set when the response begins. */
  response: HttpClientResponse.HttpClientResponse | undefined
}

const requestDuration = Metric.histogram("http.client.request.duration", {
  description: "Duration of HTTP client requests.",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  attributes: { unit: "s" },
})

const permitWait = Metric.histogram("vigil.client.permit.wait", {
  description: "Time that calls wait for other calls.",
  boundaries: [0.001, 0.01, 0.1, 1, 10, 60],
  attributes: { unit: "s" },
})

const retries = Metric.counter("vigil.client.retries", { description: "Retries of requests." })

const callAttributes = ({ client, operation }: Call) => ({
  "service.peer.name": client.service,
  "vigil.operation": operation,
})

/** Measures how long a call has waited for its permit. */
export const waited = (call: Call, nanos: bigint): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(permitWait, callAttributes(call)), Duration.toSeconds(Duration.nanos(nanos)))

/** Counts a retry by the reason of the failure. */
export const retried = (call: Call, reason: RequestReason): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(retries, { ...callAttributes(call), "error.type": typeOf(reason) }), 1)

const typeOf = (reason: RequestReason): string => ("status" in reason ? String(reason.status) : reason._tag)

const errorType = (cause: Cause.Cause<RequestReason>, hasTimedOut: boolean): string => {
  const error = Cause.findErrorOption(cause)
  if (Option.isSome(error)) return typeOf(error.value)
  return Cause.hasInterruptsOnly(cause) ? (hasTimedOut ? "Timeout" : "cancelled") : "_OTHER"
}

const requestAttributes = ({ request: { method }, url }: Exchange) => ({
  "http.request.method": method,
  "server.address": url.hostname.replaceAll(/[[\]]/g, ""),
  "server.port": Number(url.port || (url.protocol === "https:" ? 443 : 80)),
})

const responseAttributes = (
  { call, response }: Exchange,
  exit: Exit.Exit<unknown, RequestReason>,
): Record.ReadonlyRecord<string, number | string> => ({
  ...(response !== undefined && { "http.response.status_code": response.status }),
  ...(Exit.isFailure(exit) && { "error.type": errorType(exit.cause, call.hasTimedOut) }),
})

/**
 * Sends a request in a span, and measures it. Honors `Tracer.DisablePropagation`, `SpanNameGenerator`, `TracerDisabledWhen` and
 * `TracerPropagationEnabled`, which get a request without secrets and headers. Tracing by
 * the platform is off, because its spans have the path and the query as they are.
 */
export const trace = <A>(
  exchange: Exchange,
  send: (
    request: HttpClientRequest.HttpClientRequest,
    span: Tracer.Span | undefined,
  ) => Effect.Effect<A, RequestReason>,
): Effect.Effect<A, RequestReason> =>
  Effect.withFiber((fiber) =>
    Effect.clockWith((clock) => {
      const { call, request, resend, shown } = exchange
      const common = requestAttributes(exchange)
      const started = clock.monotonicTimeNanosUnsafe()
      const isPropagated = fiber.getRef(HttpClient.TracerPropagationEnabled)
      const measured = (span?: Tracer.Span) =>
        Effect.onExit(
          Effect.suspend(() => {
            const headers = span && isPropagated ? HttpTraceContext.toHeaders(span) : {}
            return send(HttpClientRequest.setHeaders(request, headers), span)
          }),
          (exit) =>
            Effect.suspend(() => {
              const response = responseAttributes(exchange, exit)
              for (const [name, value] of Object.entries(response)) span?.attribute(name, value)
              for (const name of call.client.requestIds) {
                const id = exchange.response?.headers[name]
                if (id) span?.attribute(`http.response.header.${name}`, redact(id, call, 100))
              }
              const attributes = Record.map({ ...common, ...response, ...callAttributes(call) }, String)
              return Metric.update(
                Metric.withAttributes(requestDuration, attributes),
                Duration.toSeconds(Duration.nanos(clock.monotonicTimeNanosUnsafe() - started)),
              )
            }),
        )
      if (fiber.getRef(Tracer.DisablePropagation) || fiber.getRef(HttpClient.TracerDisabledWhen)(shown))
        return measured()
      const attributes = {
        ...common,
        "url.full": shown.url,
        ...(resend > 0 && { "http.request.resend_count": resend }),
      }
      return Span.use(fiber.getRef(HttpClient.SpanNameGenerator)(shown), { attributes, kind: "client" }, measured)
    }),
  )

/** Spans and metrics of sent requests, by OpenTelemetry's conventions for HTTP clients. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricLabel from "effect/MetricLabel"
import * as Option from "effect/Option"
import type { RequestError } from "../RequestError.js"
import { redactUrl } from "./redact.js"

/** Runs `around` an effect that does not return its result. Tracers get the result of a span, and a response contains secrets. */
export const hideResult = <A, E>(
  effect: Effect.Effect<A, E>,
  around: (hidden: Effect.Effect<void, E>) => Effect.Effect<void, E>,
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    let result: Effect.Effect<A> = Effect.never
    const hidden = Effect.map(effect, (value) => {
      result = Effect.succeed(value)
    })
    return Effect.zipRight(
      around(hidden),
      Effect.suspend(() => result),
    )
  })

export interface Outgoing {
  readonly method: string
  readonly url: URL
  readonly resend: number
  status?: number
}

const duration = Metric.histogram(
  "http.client.request.duration",
  MetricBoundaries.fromIterable([0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]),
  "Duration of HTTP client requests.",
).pipe(Metric.tagged("unit", "s"))

const errorType = (cause: Cause.Cause<RequestError>): string =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => (Cause.isInterruptedOnly(cause) ? "cancelled" : "_OTHER"),
    onSome: (error) => ("status" in error ? String(error.status) : error._tag),
  })

export const request = (
  send: Effect.Effect<void, RequestError>,
  outgoing: Outgoing,
): Effect.Effect<void, RequestError> =>
  Effect.flatMap(Clock.currentTimeNanos, (started) => {
    const { method, resend, url } = outgoing
    const request = {
      "http.request.method": method,
      "server.address": url.hostname.replace(/^\[(.*)\]$/, "$1"),
      "server.port": Number(url.port || (url.protocol === "https:" ? 443 : 80)),
    }
    const measure = (exit: Exit.Exit<unknown, RequestError>) => {
      const response = {
        ...(outgoing.status === undefined ? {} : { "http.response.status_code": outgoing.status }),
        ...(Exit.isSuccess(exit) ? {} : { "error.type": errorType(exit.cause) }),
      }
      const labels = Object.entries({ ...request, ...response }).map(([name, value]) =>
        MetricLabel.make(name, String(value)),
      )
      return Effect.flatMap(Clock.currentTimeNanos, (now) =>
        Effect.zipRight(
          Effect.annotateCurrentSpan(response),
          Metric.update(Metric.taggedWithLabels(duration, labels), Number(now - started) / 1e9),
        ),
      )
    }
    return Effect.withSpan(Effect.onExit(send, measure), method, {
      kind: "client",
      attributes: {
        ...request,
        "url.full": redactUrl(url),
        ...(resend > 0 && { "http.request.resend_count": resend }),
      },
      captureStackTrace: false,
    })
  })

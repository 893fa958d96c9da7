/** Spans and metrics of sent requests, by OpenTelemetry's conventions for HTTP clients. */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricKey from "effect/MetricKey"
import * as MetricLabel from "effect/MetricLabel"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import type { RequestError } from "../RequestError.js"
import { redactUrl } from "./redact.js"

/** Runs an effect, and keeps its result for `hideResult`. */
export type Hide<A, E> = (effect: Effect.Effect<A, E>) => Effect.Effect<void, E>

/** Hides the result of an effect from the span around it. Tracers get the result of a span, and a response contains secrets. */
export const hideResult = <A, E>(around: (hide: Hide<A, E>) => Effect.Effect<void, E>): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    // Emptied, because V8 may keep it until its next full collection: a list would take 80 % more CPU time (`pnpm bench race`).
    const results: Array<Effect.Effect<A>> = []
    const hide = Effect.map((value: A) => {
      results.push(Effect.succeed(value))
    })
    return Effect.flatMap(around(hide), () => results.pop() ?? Effect.never)
  })

/** A sent request. `status` is set when the response begins, and `duration` when the attempt ends. */
export interface Exchange {
  readonly method: string
  readonly url: URL
  readonly isSecret: boolean
  readonly resend: number
  status: number | undefined
  duration: Duration.Duration
}

const duration = MetricKey.histogram(
  "http.client.request.duration",
  MetricBoundaries.fromIterable([0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]),
  "Duration of HTTP client requests.",
).pipe(MetricKey.tagged("unit", "s"))

const errorType = (cause: Cause.Cause<RequestError>): string =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => (Cause.isInterruptedOnly(cause) ? "cancelled" : "_OTHER"),
    onSome: (error) => ("status" in error ? String(error.status) : error._tag),
  })

const requestAttributes = (method: string, url: URL) => ({
  "http.request.method": method,
  "server.address": url.hostname.replace(/^\[(.*)\]$/, "$1"),
  "server.port": Number(url.port || (url.protocol === "https:" ? 443 : 80)),
})

const responseAttributes = (status: number | undefined, exit: Exit.Exit<unknown, RequestError>) => ({
  ...(status === undefined ? {} : { "http.response.status_code": status }),
  ...(Exit.isSuccess(exit) ? {} : { "error.type": errorType(exit.cause) }),
})

/** Sends requests in a span, and measures them. Keeps one metric per combination of labels. */
export const make = () => {
  const durations = new Map<string, Metric.Metric.Histogram<number>>()

  const durationOf = (method: string, url: URL, response: ReturnType<typeof responseAttributes>) => {
    const id = [method, url.origin, ...Object.values(response)].join(" ")
    const known = durations.get(id)
    if (known !== undefined) return known
    const labels = Object.entries({ ...requestAttributes(method, url), ...response })
    // Not `Metric.taggedWithLabels`, which merges the labels at each update.
    const key = MetricKey.taggedWithLabels(
      duration,
      labels.map(([name, value]) => MetricLabel.make(name, String(value))),
    )
    const metric = Metric.fromMetricKey(key)
    durations.set(id, metric)
    return metric
  }

  return <A>(
    send: (span: Tracer.Span, hide: Hide<A, RequestError>) => Effect.Effect<void, RequestError>,
    exchange: Exchange,
  ): Effect.Effect<A, RequestError> =>
    Effect.clockWith((clock) => {
      const { isSecret, method, resend, url } = exchange
      const attributes = {
        ...requestAttributes(method, url),
        "url.full": isSecret ? url.origin : redactUrl(url),
        ...(resend > 0 && { "http.request.resend_count": resend }),
      }
      const started = clock.unsafeCurrentTimeNanos()
      return hideResult((hide) =>
        Effect.useSpan(method, { attributes, captureStackTrace: false, kind: "client" }, (span) =>
          Effect.onExit(send(span, hide), (exit) => {
            exchange.duration = Duration.nanos(clock.unsafeCurrentTimeNanos() - started)
            const response = responseAttributes(exchange.status, exit)
            for (const [name, value] of Object.entries(response)) span.attribute(name, value)
            return Metric.update(durationOf(method, url, response), Duration.toSeconds(exchange.duration))
          }),
        ),
      )
    })
}

export type Trace = ReturnType<typeof make>

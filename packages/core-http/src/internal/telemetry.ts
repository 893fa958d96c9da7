/** A span and a measurement for each request that leaves, by OpenTelemetry's conventions for HTTP clients. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricLabel from "effect/MetricLabel"
import type { RequestError } from "../RequestError.js"
import { redactUrl } from "./redactUrl.js"
import { withSpan } from "./span.js"

/** What is said of a request that leaves: `resend` is how often it was sent before. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly resend: number
}

const duration = Metric.histogram(
  "http.client.request.duration",
  MetricBoundaries.fromIterable([0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]),
  "Duration of HTTP client requests, the reading of the answer's body included.",
).pipe(Metric.tagged("unit", "s"))

type Attributes = Readonly<Record<string, string | number>>

/** What an attempt came to: the status, where there was an answer, and what was wrong, if anything was. */
const outcome = (error: RequestError): Attributes =>
  "status" in error
    ? { "http.response.status_code": error.status, "error.type": String(error.status) }
    : { "error.type": error._tag }

const labels = (attributes: Attributes) =>
  Object.entries(attributes).map(([name, value]) => MetricLabel.make(name, String(value)))

const portOf = ({ port, protocol }: URL): number => (port === "" ? (protocol === "https:" ? 443 : 80) : Number(port))

/** Runs one attempt in its span, and measures it. */
export const attempt = <A extends { readonly status: number }, R>(
  effect: Effect.Effect<A, RequestError, R>,
  { method, resend, url }: Outgoing,
): Effect.Effect<A, RequestError, R> =>
  Effect.flatMap(Clock.currentTimeMillis, (started) => {
    const address = new URL(url)
    const request: Attributes = {
      "http.request.method": method,
      "server.address": address.hostname,
      "server.port": portOf(address),
    }
    const measure = (came: Attributes) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.zipRight(
          Effect.annotateCurrentSpan(came),
          Metric.update(Metric.taggedWithLabels(duration, labels({ ...request, ...came })), (now - started) / 1_000),
        ),
      )
    const attributes = {
      ...request,
      "url.full": redactUrl(address),
      ...(resend > 0 ? { "http.request.resend_count": resend } : {}),
    }
    return withSpan(
      Effect.tapBoth(effect, {
        onSuccess: ({ status }) => measure({ "http.response.status_code": status }),
        onFailure: (error) => measure(outcome(error)),
      }),
      method,
      { kind: "client", attributes },
    )
  })

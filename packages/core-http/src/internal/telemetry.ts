/** A span and a measurement for each request that leaves, by OpenTelemetry's conventions for HTTP clients. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricLabel from "effect/MetricLabel"
import type { RequestError } from "../RequestError.js"
import { withSpan } from "./span.js"

/** What is said of a request that leaves: `resend` is how often it was sent before. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly resend: number
}

/** Parameters whose values let others in: paging tokens, signatures, keys, codes. */
const secret = /token|secret|signature|^sig$|password|^key$|^code$/i

/** The address as spans may show it. */
export const shown = (url: URL): string => {
  const pairs = url.search
    .slice(1)
    // A link may have a second `?` in its query, with the paging token behind it.
    .split(/([&?])/)
    .map((part) => {
      const [name = "", ...value] = part.split("=")
      return value.length > 0 && secret.test(name) ? `${name}=REDACTED` : part
    })
  return `${url.origin}${url.pathname}${url.search === "" ? "" : `?${pairs.join("")}`}`
}

const duration = Metric.histogram(
  "http.client.request.duration",
  MetricBoundaries.fromIterable([0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]),
  "Duration of HTTP client requests, in seconds, the reading of the answer's body included.",
)

/** What an attempt came to: the status, where there was an answer, and what was wrong, if anything was. */
const outcome = (error: RequestError): Readonly<Record<string, string>> =>
  "status" in error
    ? { "http.response.status_code": String(error.status), "error.type": String(error.status) }
    : { "error.type": error._tag }

/** Runs one attempt in its span, and measures it. */
export const attempt = <A extends { readonly status: number }, R>(
  effect: Effect.Effect<A, RequestError, R>,
  { method, resend, url }: Outgoing,
): Effect.Effect<A, RequestError, R> =>
  Effect.flatMap(Clock.currentTimeMillis, (started) => {
    const address = new URL(url)
    const server = {
      "http.request.method": method,
      "server.address": address.hostname,
      "server.port": address.port === "" ? (address.protocol === "https:" ? "443" : "80") : address.port,
    }
    const measure = (came: Readonly<Record<string, string>>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.zipRight(
          Effect.annotateCurrentSpan(came),
          Metric.update(
            Metric.taggedWithLabels(
              duration,
              Object.entries({ ...server, ...came }).map(([key, value]) => MetricLabel.make(key, value)),
            ),
            (now - started) / 1000,
          ),
        ),
      )
    return withSpan(
      Effect.tapBoth(effect, {
        onSuccess: ({ status }) => measure({ "http.response.status_code": String(status) }),
        onFailure: (error) => measure(outcome(error)),
      }),
      method,
      {
        kind: "client",
        attributes: {
          ...server,
          "url.full": shown(address),
          ...(resend > 0 ? { "http.request.resend_count": resend } : {}),
        },
      },
    )
  })

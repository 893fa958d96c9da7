/** A span and a measurement for each request that leaves, by OpenTelemetry's conventions for HTTP clients. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricLabel from "effect/MetricLabel"
import * as Option from "effect/Option"
import type { RequestError } from "../RequestError.js"
import { redactUrl } from "./redactUrl.js"

/** What is said of a request that leaves: `resend` is how often it was sent before, `status` what it was answered with, once it is. */
export interface Outgoing {
  readonly method: string
  readonly url: URL
  readonly resend: number
  readonly status: () => number | undefined
}

const duration = Metric.histogram(
  "http.client.request.duration",
  MetricBoundaries.fromIterable([0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]),
  "Duration of HTTP client requests, the reading of the answer's body included.",
).pipe(Metric.tagged("unit", "s"))

type Attributes = Readonly<Record<string, string | number>>

/** What was wrong: the status, if that was it, else the kind of error, or that nobody waited for the end. */
const errorType = (cause: Cause.Cause<RequestError>): string =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => (Cause.isInterruptedOnly(cause) ? "cancelled" : "_OTHER"),
    onSome: (error) => ("status" in error ? String(error.status) : error._tag),
  })

const labels = (attributes: Attributes) =>
  Object.entries(attributes).map(([name, value]) => MetricLabel.make(name, String(value)))

const portOf = ({ port, protocol }: URL): number => (port === "" ? (protocol === "https:" ? 443 : 80) : Number(port))

/** Runs one request in its span, and measures it. What it is answered with is not for the span to keep. */
export const request = (
  send: Effect.Effect<void, RequestError>,
  { method, resend, status, url }: Outgoing,
): Effect.Effect<void, RequestError> =>
  Effect.flatMap(Clock.currentTimeNanos, (started) => {
    const known: Attributes = {
      "http.request.method": method,
      "server.address": url.hostname.replace(/^\[(.*)\]$/, "$1"),
      "server.port": portOf(url),
    }
    const measure = (exit: Exit.Exit<unknown, RequestError>) => {
      const code = status()
      const came: Attributes = {
        ...(code === undefined ? {} : { "http.response.status_code": code }),
        ...(Exit.isSuccess(exit) ? {} : { "error.type": errorType(exit.cause) }),
      }
      return Effect.flatMap(Clock.currentTimeNanos, (now) =>
        Effect.zipRight(
          Effect.annotateCurrentSpan(came),
          Metric.update(Metric.taggedWithLabels(duration, labels({ ...known, ...came })), Number(now - started) / 1e9),
        ),
      )
    }
    const attributes = {
      ...known,
      "url.full": redactUrl(url),
      ...(resend > 0 ? { "http.request.resend_count": resend } : {}),
    }
    return Effect.withSpan(Effect.onExit(send, measure), method, {
      kind: "client",
      attributes,
      captureStackTrace: false,
    })
  })

/** What a runner does with its claims, as spans and metrics. */
import type { Sink } from "@vigil/notify/Sink"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Headers from "effect/http/Headers"
import * as HttpTraceContext from "effect/http/HttpTraceContext"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import type * as Tracer from "effect/Tracer"
import { orWarn } from "./database.js"
import type * as enqueue from "./enqueue.js"
import * as outbox from "./outbox.js"
import { type Options, poll as pollOnce, type PollResult } from "./poll.js"
import * as subscriptions from "./subscriptions.js"

export interface Settings extends enqueue.Settings {
  /** The time between two polls of a subscription: with open events and after a change, and after many polls without a change. */
  readonly period: { readonly min: Duration.Duration; readonly max: Duration.Duration }
  readonly lease: Duration.Duration
  readonly options: Options
  /** Waits for the next request within the rate limit. */
  readonly turn: Effect.Effect<void>
}

const polls = Metric.counter("vigil_fleet_polls", {
  description: "Polls by result: success, failure, or refused, because another runner has claimed the subscription.",
  incremental: true,
})

const delays = Metric.histogram("vigil_fleet_poll_delay_seconds", {
  description: "How late polls start.",
  boundaries: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900],
})

const deliveries = Metric.counter("vigil_fleet_deliveries", {
  description: "Attempts to deliver a notification, by sink and result.",
  incremental: true,
})

/** How long to wait for the next poll. Grows while nothing happens. Varies by 10 %: subscriptions may have been added at the same time. */
const nextWait = ({ max, min }: Settings["period"], previous: Duration.Duration, isActive: boolean) =>
  Effect.map(Random.next, (random) => {
    const base = isActive ? min : Duration.clamp(Duration.times(previous, 1.5), { minimum: min, maximum: max })
    return Duration.times(base, 0.9 + 0.2 * random)
  })

/** The current span, as text to store (W3C Trace Context, `traceparent`). */
const currentTrace = Effect.currentSpan.pipe(
  Effect.map((span) => HttpTraceContext.toHeaders(span)["traceparent"] ?? null),
  Effect.orElseSucceed(() => null),
)

const parseTrace = (trace: string | null): Option.Option<Tracer.ExternalSpan> =>
  trace === null ? Option.none() : HttpTraceContext.w3c(Headers.fromInput({ traceparent: trace }))

/** Options of a span that continues a stored one. */
const continueFrom = (trace: string | null): Pick<Tracer.SpanOptions, "parent"> =>
  Option.match(parseTrace(trace), { onNone: () => ({}), onSome: (parent) => ({ parent }) })

/** Options of a span that follows a stored one, in a trace of its own. */
const linkTo = (trace: string | null): Pick<Tracer.SpanOptions, "links"> => ({
  links: Option.toArray(parseTrace(trace)).map((span) => ({ span, attributes: {} })),
})

const decodeId = Schema.decodeEffect(SubscriptionId.SubscriptionId)

/** Polls a claimed subscription and stores the outcome. */
export const poll = (settings: Settings, claim: subscriptions.Claim) => {
  const store = Effect.fnUntraced(function* (result: PollResult) {
    const isActive = result.error === undefined && (result.changes.length > 0 || claim.has_open_events)
    const outcome = {
      ...result,
      wait: yield* nextWait(settings.period, Duration.millis(claim.wait_ms), isActive),
      trace: yield* currentTrace,
    }
    const isStored = yield* subscriptions.store(settings, claim, outcome, settings.lease)
    const label = isStored ? (result.error === undefined ? "success" : "failure") : "refused"
    yield* Metric.update(Metric.withAttributes(polls, { result: label }), 1)
    yield* Metric.update(delays, claim.lag_seconds)
    return true
  })
  const error = "The outcome of the poll could not be stored."
  return decodeId(claim.subscription).pipe(
    Effect.flatMap((id) => pollOnce(id, claim.state, settings.options, settings.turn)),
    Effect.flatMap(store),
    orWarn("store a poll", 0),
    // Otherwise, it would be polled again at once.
    Effect.filterOrElse(Predicate.isNotUndefined, () =>
      store({ changes: [], state: undefined, invalid: 0, isFirst: false, error }),
    ),
    Effect.withSpan("Fleet.poll", {
      ...linkTo(claim.trace),
      attributes: { "vigil.subscription": claim.subscription },
      root: true,
    }),
    // It is claimed again after this.
    orWarn("store that a poll failed", "5 seconds"),
  )
}

/** Delivers a claimed notification. */
export const deliver = (sink: Sink, entry: outbox.Entry, limit: Duration.Duration) =>
  outbox.deliver(sink, entry, limit).pipe(
    Effect.flatMap((isDelivered) => {
      const result = isDelivered ? "success" : "failure"
      return Metric.update(Metric.withAttributes(deliveries, { sink: sink.name, result }), 1)
    }),
    Effect.withSpan("Fleet.deliver", { ...continueFrom(entry.trace), attributes: { "vigil.sink": sink.name } }),
    // It is sent again after this.
    orWarn("record a delivery", "5 seconds"),
  )

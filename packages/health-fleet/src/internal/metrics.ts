/** The metrics of a runner. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"

const polls = Metric.counter("vigil_fleet_polls", {
  description: "Polls by result: success, failure, or refused, because another runner has claimed the subscription.",
  incremental: true,
})

const delays = Metric.histogram(
  "vigil_fleet_poll_delay_seconds",
  MetricBoundaries.fromIterable([0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900]),
  "How late polls start.",
)

const deliveries = Metric.counter("vigil_fleet_deliveries", {
  description: "Attempts to deliver a notification, by sink and result.",
  incremental: true,
})

interface Poll {
  readonly isStored: boolean
  readonly isFailed: boolean
  /** In seconds. */
  readonly lag: number
}

export const poll = ({ isFailed, isStored, lag }: Poll): Effect.Effect<void> =>
  Effect.zipRight(
    Metric.update(Metric.tagged(polls, "result", isStored ? (isFailed ? "failure" : "success") : "refused"), 1),
    Metric.update(delays, lag),
  )

export const delivery = (sink: string, isDelivered: boolean): Effect.Effect<void> =>
  Metric.update(
    deliveries.pipe(Metric.tagged("sink", sink), Metric.tagged("result", isDelivered ? "success" : "failure")),
    1,
  )

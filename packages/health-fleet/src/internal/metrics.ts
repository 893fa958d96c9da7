/** The metrics of a runner. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

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

interface Poll {
  readonly isStored: boolean
  readonly isFailed: boolean
  /** In seconds. */
  readonly lag: number
}

export const poll = ({ isFailed, isStored, lag }: Poll): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(
      Metric.withAttributes(polls, { result: isStored ? (isFailed ? "failure" : "success") : "refused" }),
      1,
    ),
    Metric.update(delays, lag),
  )

export const delivery = (sink: string, isDelivered: boolean): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(deliveries, { sink, result: isDelivered ? "success" : "failure" }), 1)

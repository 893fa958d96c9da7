/** The metrics of a fleet, from its database. */
import type { Status } from "@vigil/health-fleet/Status"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Database from "../fleet/shared/Database.js"
import * as Problems from "../output/Problems.js"
import { type Family, gauge, one } from "./MetricsText.js"

const secondsSince = (now: number, date: Date | null): number =>
  date === null ? 0 : Math.max(0, now - date.getTime()) / 1_000

/** `now` is in milliseconds. */
export const families = (status: Status, now: number): ReadonlyArray<Family> => {
  const bySink = (key: "deadLetters" | "pending") =>
    status.sinks.map((sink) => ({ labels: { sink: sink.name }, value: sink[key] }))
  const runners = status.runners.filter(({ isAlive }) => isAlive).length
  const oldest = Math.max(0, ...status.sinks.map(({ oldestAt }) => secondsSince(now, oldestAt)))
  return [
    gauge("vigil_fleet_subscriptions", "Subscriptions that the fleet watches.", one(status.subscriptions)),
    gauge("vigil_fleet_runners", "Runners that are alive.", one(runners)),
    gauge(
      "vigil_fleet_claim_age_seconds",
      "Time since a runner last reported that it can claim and store polls.",
      status.claimAge === null ? [] : one(status.claimAge),
    ),
    gauge("vigil_fleet_poll_lag_seconds", "How late the most overdue poll is.", one(status.lag)),
    gauge("vigil_fleet_failing", "Subscriptions that failed at their last poll.", one(status.failing)),
    gauge("vigil_fleet_outbox_pending", "Notifications that wait, by sink.", bySink("pending")),
    gauge("vigil_fleet_dead_letters", "Dead letters, by sink.", bySink("deadLetters")),
    gauge(
      "vigil_fleet_oldest_undelivered_seconds",
      "Age of the oldest notification that waits; 0 if none does.",
      one(oldest),
    ),
    gauge(
      "vigil_fleet_refused",
      "Polls of the current subscriptions whose outcome was refused, because another runner had claimed them.",
      one(status.refused),
    ),
  ]
}

/** Reads the status until the scope closes. While the database fails, there are no metrics. */
export const make = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  let last: ReadonlyArray<Family> = []
  const read = Database.connect(url).pipe(
    Effect.flatMap(({ sql, status }) => Effect.provide(status, sql)),
    Effect.scoped,
    Effect.timeoutOrElse({
      duration: "10 seconds",
      orElse: () => Effect.fail({ message: "The database has not responded for 10 seconds." }),
    }),
    Effect.zipWith(Clock.currentTimeMillis, families),
    Effect.match({
      onSuccess: (families) => {
        last = families
        return []
      },
      onFailure: ({ message }) => {
        last = []
        const text = `/metrics has no metrics of the fleet. ${message}`
        return [{ text, end: "/metrics has metrics of the fleet again." }]
      },
    }),
  )
  yield* Effect.forkScoped(Problems.follow(read, "5 seconds"))
  return (): ReadonlyArray<Family> => last
})

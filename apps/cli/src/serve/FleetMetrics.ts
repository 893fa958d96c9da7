/** The metrics of a fleet, from its database. */
import type { Status } from "@vigil/health-fleet/Status"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Option from "effect/Option"
import * as Database from "../fleet/Database.js"
import * as Problems from "../output/Problems.js"
import type { Family } from "./MetricsText.js"

const secondsSince = (now: number, date: Date | null): number =>
  date === null ? 0 : Math.max(0, now - date.getTime()) / 1_000

/** `now` is in milliseconds. */
export const families = (status: Status, now: number): ReadonlyArray<Family> => {
  const bySink = (value: (sink: Status["sinks"][number]) => number) =>
    status.sinks.map((sink) => ({ labels: { sink: sink.name }, value: value(sink) }))
  const runners = status.runners.filter(({ isAlive }) => isAlive).length
  return [
    {
      name: "vigil_fleet_subscriptions",
      type: "gauge",
      help: "Subscriptions that the fleet watches.",
      samples: [{ value: status.subscriptions }],
    },
    {
      name: "vigil_fleet_runners",
      type: "gauge",
      help: "Runners that are alive.",
      samples: [{ value: runners }],
    },
    {
      name: "vigil_fleet_poll_lag_seconds",
      type: "gauge",
      help: "How late the most overdue poll is.",
      samples: [{ value: status.lag }],
    },
    {
      name: "vigil_fleet_failing",
      type: "gauge",
      help: "Subscriptions that failed at their last poll.",
      samples: [{ value: status.failing }],
    },
    {
      name: "vigil_fleet_outbox_pending",
      type: "gauge",
      help: "Notifications that wait, by sink.",
      samples: bySink(({ pending }) => pending),
    },
    {
      name: "vigil_fleet_dead_letters",
      type: "gauge",
      help: "Dead letters, by sink.",
      samples: bySink(({ deadLetters }) => deadLetters),
    },
    {
      name: "vigil_fleet_oldest_undelivered_seconds",
      type: "gauge",
      help: "Age of the oldest notification that waits; 0 if none does.",
      samples: [{ value: Math.max(0, ...status.sinks.map(({ oldestAt }) => secondsSince(now, oldestAt))) }],
    },
    {
      name: "vigil_fleet_refused",
      type: "gauge",
      help: "Polls of the current subscriptions whose outcome was refused, because another runner had claimed them.",
      samples: [{ value: status.refused }],
    },
  ]
}

/** Reads the status until the scope closes. While the database fails, there are no metrics. */
export const make = (url: Redacted.Redacted) =>
  Effect.gen(function* () {
    let last: ReadonlyArray<Family> = []
    const read = Database.connect(Option.some(url)).pipe(
      Effect.flatMap(({ sql, status }) => Effect.provide(status, sql)),
      Effect.scoped,
      Effect.zipWith(Clock.currentTimeMillis, families),
      Effect.match({
        onSuccess: (families) => {
          last = families
          return new Map()
        },
        onFailure: ({ message }) => {
          last = []
          return new Map([
            ["/metrics has metrics of the fleet again.", `/metrics has no metrics of the fleet. ${message}`],
          ])
        },
      }),
    )
    yield* Effect.forkScoped(Problems.follow(read, "15 seconds"))
    return (): ReadonlyArray<Family> => last
  })

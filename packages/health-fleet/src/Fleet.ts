/** Watches the subscriptions of a database, together with all other runners, and notifies sinks of changes. */
import type * as SqlClient from "effect/sql/SqlClient"
import { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as Filter from "@vigil/health-client/Filter"
import type { HealthClient } from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as Notification from "@vigil/notify/Notification"
import * as Routes from "@vigil/notify/Routes"
import type { Sink } from "@vigil/notify/Sink"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import { FleetError } from "./FleetError.js"
import { migrate } from "./internal/migrations.js"
import * as outbox from "./internal/outbox.js"
import type { Options as ListOptions } from "./internal/poll.js"
import { register } from "./internal/runner.js"
import * as subscriptions from "./internal/subscriptions.js"
import * as tasks from "./internal/tasks.js"
import { upkeep } from "./internal/upkeep.js"
import { work } from "./internal/workers.js"

export type { Options as ListOptions } from "./internal/poll.js"

/** Options of `run`. Use the same on all machines. @category models @since 0.1.0 */
export interface Options extends ListOptions {
  /** The sinks, with distinct names. Each gets at most 4 notifications at once from this runner. Default: none; changes are not kept then. */
  readonly sinks?: ReadonlyArray<Sink> | undefined
  /** Selects the sinks of each notification. Default: all sinks get all notifications. */
  readonly routes?: Routes.Routes | undefined
  /** Returns the URL of an event to open in a browser. Default: none. */
  readonly link?: Notification.Options["link"]
  /** The time between two polls of a subscription with open events, and after a change, ±10 %. Default: 1 minute. */
  readonly minPeriod?: Duration.Input | undefined
  /** The time between two polls of a subscription after many polls without a change, ±10 %. Default: 10 minutes. */
  readonly maxPeriod?: Duration.Input | undefined
  /**
   * Lists the subscriptions to watch, besides those of `Subscriptions.add`. One runner runs it, every minute. Failures are warnings; an empty
   * list changes nothing. Default: none.
   */
  readonly list?: Effect.Effect<ReadonlyArray<SubscriptionId>, unknown> | undefined
  /** How many subscriptions this runner polls at once. Default: 8. */
  readonly concurrency?: number | undefined
  /** How long a runner may be silent before others take over its work. 1 second to 1 hour. Default: 10 seconds. */
  readonly lease?: Duration.Input | undefined
  /** The name of this runner in the status. Default: `runner`. */
  readonly name?: string | undefined
}

const check = Effect.fnUntraced(function* (
  { concurrency = 1, routes, sinks = [] }: Options,
  period: tasks.Settings["period"],
  lease: Duration.Duration,
) {
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    return yield* new InvalidSetting({ setting: "concurrency", expected: "a whole number of 1 or more" })
  yield* Routes.checkSinks(routes, sinks)
  if (!Duration.between(lease, { minimum: Duration.seconds(1), maximum: Duration.hours(1) }))
    return yield* new InvalidSetting({ setting: "lease", expected: "a duration from 1 second to 1 hour" })
  if (Duration.isLessThan(period.min, Duration.millis(1)) || Duration.isGreaterThan(period.min, period.max))
    return yield* new InvalidSetting({
      setting: "minPeriod",
      expected: "a duration greater than 0, at most maxPeriod",
    })
})

/** The settings in which runners must not differ, as JSON. */
const toSettings = ({ apiVersion = ApiVersion.latest, filter, routes, sinks = [] }: Options): string =>
  JSON.stringify({ sinks: sinks.map(({ name }) => name).toSorted(), routes, filter: Filter.render(filter), apiVersion })

/**
 * Creates the tables of a fleet, if they are missing. `run` does so as well. Safe on several machines at once.
 * @category running @since 0.1.0
 */
export const migrateDatabase: Effect.Effect<void, FleetError, SqlClient.SqlClient> = Effect.mapBoth(migrate, {
  onSuccess: constVoid,
  onFailure: (cause) => new FleetError({ attempt: "create the tables of the fleet", cause }),
})

/**
 * Runs one runner of a fleet, until it is interrupted. Any number of runners may use one database, on any machines: they share the polls and
 * the deliveries, and take over from one that stops.
 *
 * A poll stores its new state and its notifications in one transaction, and only if no other runner has claimed the subscription since. A
 * runner that continues after a long pause therefore stores nothing old. Each notification is delivered **at least once**, in order per
 * event. A repeated one has the same `id`. A notification that a sink refuses for good becomes a dead letter.
 *
 * If the database fails, the runner logs a warning and tries again. Interruption waits for at most 10 seconds for polls and deliveries.
 *
 * Fails with `InvalidSetting` if an option is invalid, and with `FleetError` if the tables cannot be created.
 * @category running @since 0.1.0
 */
export const run = (
  options: Options = {},
): Effect.Effect<never, FleetError | InvalidSetting, HealthClient | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const { concurrency = 8, link, name = "runner", routes, sinks = [] } = options
    const lease = Duration.fromInputUnsafe(options.lease ?? "10 seconds")
    const period = {
      min: Duration.fromInputUnsafe(options.minPeriod ?? "1 minute"),
      max: Duration.fromInputUnsafe(options.maxPeriod ?? "10 minutes"),
    }
    yield* check(options, period, lease)
    yield* migrateDatabase
    const warn = (cause: unknown) =>
      Effect.andThen(
        Effect.logWarning(`The database of the fleet failed. The runner tries again.`, cause),
        Effect.sleep("1 second"),
      )
    const self = yield* Effect.mapError(
      register({ name, sinks: sinks.map(({ name }) => name), settings: toSettings(options) }, lease, warn),
      (cause) => new FleetError({ attempt: "register a runner", cause }),
    )
    const settings: tasks.Settings = { sinks, routes, link, period, lease, options }
    const polls = work({
      concurrency,
      claim: (running, limit) => Effect.timeout(subscriptions.claim(self, running, limit), lease),
      keyOf: ({ subscription }) => subscription,
      run: (claimed) => tasks.poll(settings, claimed),
      onError: warn,
    })
    const repeatUpkeep = Effect.forever(
      Effect.andThen(Effect.withTracerEnabled(Effect.catch(upkeep(options), warn), false), Effect.sleep("5 seconds")),
    )
    const deliveries = sinks.map((sink) =>
      work({
        concurrency: 4,
        claim: (running, limit) => Effect.timeout(outbox.claim(sink.name, self, running, limit), lease),
        keyOf: ({ seq }) => `${seq}`,
        run: (entry) => tasks.deliver(sink, entry, lease),
        onError: warn,
      }),
    )
    return yield* Effect.andThen(
      Effect.all([polls, repeatUpkeep, ...deliveries], { concurrency: "unbounded", discard: true }),
      Effect.never,
    )
  }).pipe(Effect.scoped)

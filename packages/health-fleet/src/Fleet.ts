/** Watches the subscriptions of a database, together with all other runners, and notifies sinks of changes. */
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import { InvalidSetting, parseDuration } from "@vigil/core-http/SettingsError"
import * as Filter from "@vigil/health-client/Filter"
import { HealthClient } from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as Notification from "@vigil/notify/Notification"
import * as Routes from "@vigil/notify/Routes"
import type { Sink } from "@vigil/notify/Sink"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Hex from "effect/encoding/Hex"
import type * as SqlClient from "effect/sql/SqlClient"
import type { FleetError } from "./FleetError.js"
import { claim } from "./internal/claims.js"
import { orFleetError } from "./internal/database.js"
import { migrate } from "./internal/migrations.js"
import * as outbox from "./internal/outbox.js"
import { pace } from "./internal/pace.js"
import type { Options as ListOptions } from "./internal/poll.js"
import * as polls from "./internal/polls.js"
import { current, type Problem, Problems } from "./internal/problems.js"
import { register } from "./internal/register.js"
import { upkeep } from "./internal/upkeep.js"
import { work } from "./internal/workers.js"

export type { Options as ListOptions } from "./internal/poll.js"
export type { Problem } from "./internal/problems.js"

/** Options of `layer`. Use the same on all machines. @category models @since 0.1.0 */
export interface Options extends ListOptions {
  /** The sinks, with distinct names. Each gets at most 4 notifications at once from this runner. Default: none; changes are not kept then. */
  readonly sinks?: ReadonlyArray<Sink> | undefined
  /** Selects the sinks of each notification. Default: all sinks get all notifications. */
  readonly routes?: Routes.Routes | undefined
  /** Returns the URL of an event to open in a browser. Default: none. */
  readonly link?: Notification.Options["link"]
  /** Returns the name of a subscription, for people. Default: none. */
  readonly subscriptionName?: ((subscription: string) => string | undefined) | undefined
  /** The time between two polls of a subscription with open events, and after a change, ±10 %. Default: 1 minute. */
  readonly minPeriod?: Duration.Input | undefined
  /** The time between two polls of a subscription after many polls without a change, ±10 %. Default: 10 minutes. */
  readonly maxPeriod?: Duration.Input | undefined
  /** Lists subscriptions to watch, besides those of `Subscriptions.add`, every minute on one runner. An empty list or a failure changes nothing. */
  readonly list?: Effect.Effect<ReadonlyArray<SubscriptionId>, unknown> | undefined
  /** How many subscriptions this runner polls at once. Default: 8. */
  readonly concurrency?: number | undefined
  /**
   * How many pages all runners together request per time, spaced evenly. A runner waits before it claims a subscription, and before each
   * further page; no timeout runs then. Each of `n` runners gets `1/n`. After a runner has joined, the fleet may exceed the limit by its share
   * for a quarter of the lease. Retries do not count: see `retryBudget` of the client. Default: no limit.
   */
  readonly rateLimit?: ServiceClient.Settings["rateLimit"]
  /** How long a runner may be silent before others take over, from 1 second to 1 hour. They see a kill at once. Default: 10 seconds. */
  readonly lease?: Duration.Input | undefined
  /** The name of this runner in the status. Default: `runner`. */
  readonly name?: string | undefined
}

/** Checks the options, and returns those of the polls. */
const check = Effect.fnUntraced(function* ({ concurrency = 8, rateLimit, routes, sinks = [], ...options }: Options) {
  yield* Routes.checkSinks(routes, sinks)
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    return yield* new InvalidSetting({ setting: "concurrency", expected: "a whole number of 1 or more" })
  const { per, requests } = rateLimit ?? { per: 1, requests: 1 }
  yield* parseDuration(per, "rateLimit.per")
  if (!(requests > 0)) return yield* new InvalidSetting({ setting: "rateLimit.requests", expected: "more than 0" })
  const isLease = Duration.between({ minimum: Duration.seconds(1), maximum: Duration.hours(1) })
  const lease = yield* parseDuration(options.lease ?? "10 seconds", "lease", isLease, "from 1 second to 1 hour")
  const max = yield* parseDuration(options.maxPeriod ?? "10 minutes", "maxPeriod")
  const isMin = Duration.between({ minimum: Duration.millis(1), maximum: max })
  const min = yield* parseDuration(options.minPeriod ?? "1 minute", "minPeriod", isMin, "above 0, at most maxPeriod")
  return { concurrency, lease, period: { min, max } }
})

/** The hash of a text, which may be a secret URL. */
const hash = (text: string) =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (bytes) => Hex.encode(new Uint8Array(bytes, 0, 8)),
  )

/** The settings in which runners must not differ, as JSON. */
const toSettings = (
  { apiVersion = ApiVersion.defaultVersion, filter, rateLimit, routes, sinks = [] }: Options,
  service: string,
): string =>
  JSON.stringify({
    sinks: sinks.map(({ name }) => name).toSorted(),
    routes,
    filter: Filter.render(filter),
    apiVersion,
    rateLimit: rateLimit && { requests: rateLimit.requests, milliseconds: Duration.toMillis(rateLimit.per) },
    service,
  })

/**
 * Creates the tables of a fleet or changes those of an earlier version, as `layer` does. Safe on several machines at once. Fails while runners of
 * an earlier version are alive, see `earlierRunners` of the error.
 * @category running @since 0.1.0
 */
export const migrateDatabase: Effect.Effect<void, FleetError, SqlClient.SqlClient> = Effect.asVoid(migrate).pipe(
  orFleetError("create the tables of the fleet"),
)

/** Runs `migrateDatabase` when no runner of an earlier version is alive. `onWait` gets each new error. @category running @since 0.3.0 */
export const awaitDatabase = <R>(
  onWait: (error: FleetError) => Effect.Effect<void, never, R>,
): Effect.Effect<void, FleetError, SqlClient.SqlClient | R> => {
  let last = ""
  return migrateDatabase.pipe(
    Effect.tapError((error) => {
      const isKnown = error.earlierRunners.length === 0 || error.message === last
      last = error.message
      return isKnown ? Effect.void : onWait(error)
    }),
    Effect.retry({ while: ({ earlierRunners }) => earlierRunners.length > 0, schedule: Schedule.spaced("1 second") }),
  )
}

/** A runner of this process. @category running @since 0.3.0 */
export class Runner extends Context.Service<
  Runner,
  {
    /** What it cannot do at the moment, and why, for the readiness probe of an application. Empty if all works. */
    readonly problems: Effect.Effect<ReadonlyArray<Problem>>
  }
>()("@vigil/health-fleet/Fleet/Runner") {}

/**
 * Runs one runner of a fleet until its scope closes, and then waits for at most 10 seconds for polls and deliveries. Any number of runners may use
 * one database, on any machines: they share the polls and the deliveries, and take over from one that stops.
 *
 * A poll stores its new state and its notifications in one transaction, and only if no other runner has claimed the subscription since. Each
 * notification is delivered **at least once**, in order per event. A repeated one has the same `id`. A notification that a sink refuses for good
 * becomes a dead letter.
 *
 * A runner holds one connection, so the pool needs at least 2. If something fails, the runner logs a warning, tries again, and logs that it works
 * again. While runners of an earlier version are alive, it waits and logs their names. It works only if no runner of another service, which started
 * before, is alive: a database is for one base URL and vendor. Fails with `InvalidSetting` if an option is invalid, and
 * with `FleetError` if the tables cannot be created.
 * @category running @since 0.2.0
 */
export const layer = (
  options: Options = {},
): Layer.Layer<Runner, FleetError | InvalidSetting, HealthClient | SqlClient.SqlClient> =>
  Layer.effect(
    Runner,
    Effect.gen(function* () {
      const { name = "runner", rateLimit, sinks = [] } = options
      const { concurrency, lease, period } = yield* check(options)
      yield* awaitDatabase(({ message }) => Effect.logWarning(message))
      const service = yield* Effect.flatMap(HealthClient, ({ key }) => hash(key))
      const own = { name, sinks: sinks.map(({ name }) => name), settings: toSettings(options, service), service, lease }
      const runner = yield* register(own).pipe(orFleetError("register a runner"))
      const paced = pace(rateLimit, () => runner.report?.count ?? 1)
      const settings = { ...options, sinks, period, turn: paced.run(Effect.void) }
      const polling = work({
        pieces: "polls",
        concurrency,
        claim: (limit) => paced.run(claim(runner, Math.min(limit, paced.burst())), ({ length }) => length),
        keyOf: ({ subscription }) => subscription,
        running: runner.polls,
        run: yield* polls.make(settings, runner),
      })
      const deliveries = sinks.map((sink) =>
        work({
          pieces: "notifications",
          concurrency: 4,
          claim: (limit) => outbox.claim(sink.name, runner, limit),
          keyOf: ({ seq }) => `${seq}`,
          running: runner.deliveries,
          run: (entry) => outbox.run(sink, entry, runner),
        }),
      )
      const loops = [polling, upkeep(options, options.list, runner), ...deliveries]
      // One fiber, so that all end at the same time.
      yield* Effect.forkScoped(Effect.all(loops, { concurrency: "unbounded", discard: true }))
      return { problems: Effect.provideService(current, Problems, yield* Problems) }
    }),
  ).pipe(Layer.provide(Layer.sync(Problems, () => new Map())))

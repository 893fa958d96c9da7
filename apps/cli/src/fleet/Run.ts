/** `vigil fleet run`: runs one runner of a fleet, until it is interrupted. */
import type { Problem } from "@vigil/health-fleet/Fleet"
import type { FleetError } from "@vigil/health-fleet/FleetError"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { hostname } from "node:os"
import * as Command from "../command/Command.js"
import type { Input } from "../command/Input.js"
import * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Flag from "../flags/Flag.js"
import * as Time from "../flags/Time.js"
import { UsageError } from "../flags/UsageError.js"
import * as PublicUrl from "../notify/shared/PublicUrl.js"
import * as RoutesFile from "../notify/shared/RoutesFile.js"
import { Output, plural } from "../output/Output.js"
import { withoutWarnings } from "../output/Problems.js"
import * as Settings from "../settings/Settings.js"
import * as Probe from "./Probe.js"
import * as Problems from "./Problems.js"
import * as Database from "./shared/Database.js"

const rateLimit = Flag.parsed("n/time", "a number of requests and a time, such as 300/1m", (text) =>
  Option.gen(function* () {
    const [, requests, time] = yield* Option.fromNullishOr(/^(\d{1,9})\/(.+)$/.exec(text))
    const per = yield* Time.parseDuration(time ?? "")
    return yield* Option.liftPredicate(
      { requests: Number(requests), per },
      ({ requests }) => requests > 0 && Duration.isGreaterThan(per, Duration.zero),
    )
  }),
)

/** Reads the file each time. Fails at once if the file is invalid now. */
const listFile = Effect.fnUntraced(function* (file: string) {
  if (file === "-")
    return yield* new UsageError("--subscriptions-file is read every minute: pass the path of a file, not -.")
  const { note } = yield* Output
  const services = yield* Effect.context<FileSystem.FileSystem | Input>()
  const { names } = yield* Settings.Settings
  const read = Effect.provide(Subscriptions.readFile(file, names), services)
  yield* read
  return Effect.tapError(read, ({ message }) => note(`vigil: ${message} The fleet keeps its subscriptions.`))
})

/** In a fleet of a real service, the polls of the sandbox would fail. */
const refuseOthers = (subscriptions: ReadonlyArray<string>, world: ReadonlyArray<string>) => {
  const others = subscriptions.filter((id) => !world.includes(id)).length
  return others === 0
    ? Effect.void
    : new UsageError(
        `The fleet has ${plural(others, "subscription")} that the sandbox does not have. Use another database for trials.`,
      )
}

export const command = Command.make({
  description:
    "Watch subscriptions and send notifications until interrupted, together with all other runners of the same database.",
  examples: [
    "vigil fleet run --sandbox",
    "vigil fleet run --subscriptions-file subscriptions.txt --routes routes.yaml --rate-limit 300/1m",
  ],
  isServer: true,
  flags: {
    ...Connection.flags,
    database: Database.flag,
    subscriptionsFile: Flag.optional(
      Flag.text("file"),
      "File with one subscription ID or name per line, read every minute",
    ),
    routes: RoutesFile.flag,
    publicUrl: PublicUrl.flag,
    name: Flag.optional(Flag.text("name"), "Name in the status (default: host name and process ID)"),
    concurrency: Flag.withDefault(Flag.integer("n", 1, 1_000), "8", "Polls at once"),
    minPeriod: Flag.withDefault(Time.duration("7 days"), "1m", "Shortest time between polls of a subscription"),
    maxPeriod: Flag.withDefault(Time.duration("7 days"), "10m", "Longest time between polls of a subscription"),
    lease: Flag.withDefault(Time.duration("1 hour"), "10s", "Timeout after which other runners take over"),
    rateLimit: Flag.optional(rateLimit, "Pages that the whole fleet requests per time, such as 300/1m"),
    filter: Connection.filter,
    port: Flag.optional(Flag.port, "Port for the probes /healthz and /readyz; 0 is any free port"),
    host: Flag.withDefault(Flag.text("host"), "127.0.0.1", "Address of the port"),
  },
  run: function* ({ concurrency, host, lease, maxPeriod, minPeriod, port, ...flags }) {
    if (Duration.isGreaterThan(minPeriod, maxPeriod))
      return yield* new UsageError("--min-period is longer than --max-period: pass a shorter one.")
    yield* PublicUrl.checkFlags(flags.publicUrl, flags.routes)
    const { note } = yield* Output
    const routes = flags.routes === undefined ? undefined : yield* RoutesFile.read(flags.routes)
    const sinks = routes && (yield* RoutesFile.sinks(routes))
    const file = flags.subscriptionsFile === undefined ? undefined : yield* listFile(flags.subscriptionsFile)
    let problems: Effect.Effect<ReadonlyArray<Problem>> | undefined
    if (port !== undefined) yield* note(`Probes: ${yield* Probe.listen({ host, port }, () => problems)}readyz`)
    const { sql, ...database } = yield* Database.connect(flags.database)
    const { apiVersion, client, names, sandbox } = yield* Connection.health({
      ...flags,
      // A poll that waits for the service takes the place of another one: the row of its subscription waits instead.
      client: { concurrency, maxRetryAfter: "1 second" },
    })
    const wait = ({ message }: FleetError) => note(`vigil: ${message} This runner waits for them.`)
    yield* Effect.provide(database.awaitDatabase(wait), sql)
    const inSandbox = sandbox?.world.subscriptions.map(({ id }) => SubscriptionId.make(id))
    if (inSandbox !== undefined) {
      const known = yield* Effect.provide(database.subscriptions, sql)
      yield* refuseOthers([...known.map(({ id }) => id), ...(file ? yield* file : [])], inSandbox)
    }
    const name = flags.name ?? `${hostname()}-${process.pid}`
    const list = file ?? (inSandbox && Effect.succeed(inSandbox))
    const { filter, rateLimit } = flags
    const periods = { minPeriod, maxPeriod, lease, rateLimit }
    const messages = {
      routes: routes && RoutesFile.withIds(routes, names),
      sinks,
      link: PublicUrl.linkOf(flags.publicUrl),
      subscriptionName: names.nameOf,
    }
    const runner = yield* Layer.build(
      database.layer({ name, apiVersion, filter, concurrency, ...periods, list, ...messages }),
    ).pipe(Effect.provide(Context.add(sql, HealthClient.HealthClient, client)), withoutWarnings)
    problems = Context.get(runner, database.Runner).problems
    yield* note(`The runner ${JSON.stringify(name)} has joined the fleet. Press Ctrl-C to stop.`)
    if (sinks === undefined) yield* note("vigil: No notifications are sent: pass --routes to send some.")
    yield* Problems.follow(Effect.provide(database.status, sql), problems)
    return yield* Effect.never
  },
})

/** `vigil serve`: serves the events as a page, as JSON, and for monitoring and calendars. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Command from "../Command.js"
import * as Lists from "../events/Lists.js"
import * as Polling from "../events/Polling.js"
import * as Snapshot from "../events/Snapshot.js"
import * as StateFile from "../events/StateFile.js"
import * as Failure from "../Failure.js"
import * as Flag from "../Flag.js"
import * as Database from "../fleet/Database.js"
import * as RoutesFile from "../notify/RoutesFile.js"
import { Output } from "../output/Output.js"
import * as Connection from "../auth/Connection.js"
import * as Access from "./Access.js"
import * as FleetMetrics from "./FleetMetrics.js"

/** Below the ports that systems assign to clients, and no default of Prometheus, its exporters or OpenTelemetry. */
const defaultPort = "9846"

const maxConnections = 1_000

/** Loaded lazily: other commands do not need them. */
const parts = Effect.promise(() => Promise.all([import("./Handler.js"), import("./Poller.js"), import("./Server.js")]))

const Changes = Effect.promise(() => import("./Changes.js"))

export const command = Command.make({
  description:
    "Serve the events until interrupted: a page that updates itself, JSON, metrics, and a calendar of planned maintenance.",
  examples: ["vigil serve --sandbox", "vigil serve --sandbox --every 1m --port 8080"],
  flags: {
    ...Snapshot.flags,
    every: Polling.every,
    port: Flag.withDefault(Flag.port, defaultPort, "Port; 0 is any free port"),
    routes: RoutesFile.flag,
    stateFile: StateFile.flag,
    host: Flag.withDefault(Flag.text("host"), "127.0.0.1", `Address; beyond loopback, set ${Access.variable}`),
    database: { ...Database.flag, description: "Add metrics of a fleet (environment: VIGIL_DATABASE_URL)" },
  },
  run: function* ({ database, every, host, port, routes, stateFile, ...flags }) {
    yield* Lists.check(flags)
    if (routes === undefined && stateFile !== undefined)
      return yield* new Failure.UsageError("--state-file requires --routes.")
    if (routes !== undefined && (flags.tenantWide || flags.resource !== undefined))
      return yield* new Failure.UsageError("--routes requires subscriptions: omit --resource and --tenant-wide.")
    const access = yield* Access.make(host)
    const databaseUrl = yield* Database.find(database)
    const connection = yield* Connection.health(flags)
    // Read once: later changes of the settings have no effect.
    const subscription = yield* Lists.subscriptions(connection, flags)
    const options = { ...flags, apiVersion: connection.apiVersion, subscription, every, connection, stateFile }
    const [Handler, Poller, Server] = yield* parts
    const { data, note, status } = yield* Output
    const clock = yield* Clock.Clock
    // Without routes, nothing is sent.
    const changes = routes === undefined ? undefined : yield* (yield* Changes).make({ ...options, routes })
    const poller = yield* Poller.make({ ...options, onSuccess: changes?.deliver ?? (() => Effect.void) })
    const fleet = databaseUrl && (yield* FleetMetrics.make(databaseUrl))
    const respond = Handler.make({
      access,
      state: poller.state,
      now: () => clock.currentTimeMillisUnsafe(),
      every: Duration.toMillis(every),
      families: () => [...(changes?.families() ?? []), ...(fleet?.() ?? [])],
    })
    const run = Effect.runForkWith(yield* Effect.context<never>())
    const onDefect = (error: unknown) => run(note(Failure.report(Cause.die(error)).sentence ?? ""))
    const url = yield* Server.listen({ host, port, maxConnections, respond, onDefect })
    yield* data([url])
    yield* note("Open the URL in a browser. Press Ctrl-C to stop.")
    yield* Effect.ensuring(poller.polls, status(undefined))
  },
})

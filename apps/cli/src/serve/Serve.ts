/** `vigil serve`: polls the events, and serves them as a page, as JSON, and for monitoring and calendars. */
import type * as HealthClient from "@vigil/health-client/HealthClient"
import * as Limits from "@vigil/health-schema/Limits"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Command from "../command/Command.js"
import type { EventPage } from "../event/AnyEvent.js"
import * as Lists from "../list/Lists.js"
import * as Polling from "../event/Polling.js"
import * as Selection from "../event/Selection.js"
import * as Snapshot from "../list/Snapshot.js"
import * as StateFile from "../files/StateFile.js"
import * as Failure from "../kit/Failure.js"
import * as Flag from "../kit/Flag.js"
import * as Database from "../fleet/Database.js"
import * as RoutesFile from "../notify/RoutesFile.js"
import { Output } from "../kit/Output.js"
import * as Connection from "../auth/Connection.js"
import * as Access from "./Access.js"
import type * as Changes from "./Changes.js"
import * as Handler from "./Handler.js"
import * as Server from "./Server.js"
import * as State from "./State.js"

/** Below the ports that systems assign to clients, and no default of Prometheus, its exporters or OpenTelemetry. */
const defaultPort = "9846"

const maxConnections = 1_000

interface PollerOptions extends Snapshot.Options {
  readonly every: Duration.Duration
  readonly connection: Connection.Connection<HealthClient.Service>
  /** Runs after each successful poll. */
  readonly onSuccess: (poll: Changes.Poll) => Effect.Effect<void, Failure.Failure>
}

/** The service may reject the polls for a while. Only a restart reads another credential. */
const isFatal = (error: Failure.Failure, hasSucceeded: boolean): boolean =>
  Polling.isLasting(error, hasSucceeded) &&
  (!hasSucceeded || (error._tag === "RequestError" && error.reason._tag === "Credential"))

/** `polls` never ends, except with an error that the next poll would have too. `now` is monotonic, in milliseconds. */
const makePoller = Effect.fnUntraced(function* (options: PollerOptions) {
  const { connection, every, onSuccess, resource } = options
  const output = yield* Output
  const note = Polling.noteInvalid(output)
  const outcomes = Polling.outcomes(output, every)
  const clock = yield* Clock.Clock
  const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  let state = State.initial

  const poll = Effect.gen(function* () {
    const pages: Array<Changes.Page> = []
    const onPage = (page: EventPage, list: string) => {
      pages.push({ ...page, list })
      return Effect.forEach(page.invalid, note, { discard: true })
    }
    const at = yield* Clock.currentTimeMillis
    const startedAt = now()
    const result = yield* Effect.result(Snapshot.readFrom(connection, options, onPage))
    const duration = now() - startedAt
    const hasSucceeded = state.snapshot !== undefined
    if (Result.isFailure(result)) {
      const error = result.failure
      state = State.fail(state, { at, isLasting: Polling.isLasting(error, hasSucceeded) }, duration)
      return yield* isFatal(error, hasSucceeded) ? Effect.fail(error) : outcomes.fail(error)
    }
    const snapshot = result.success
    const { from } = snapshot
    const invalid = pages.flatMap((page) => page.invalid.map(({ raw }) => raw))
    // The list of a resource has no start time.
    const reach =
      resource === undefined ? from : snapshot.now - Duration.toMillis(Duration.days(Limits.defaultDaysBack))
    state = State.succeed(state, { snapshot, startedAt, invalid, reach, duration })
    yield* outcomes.succeed
    yield* onSuccess({ from, pages })
  })

  return { state: () => state, now, polls: Effect.repeat(poll, Polling.schedule(output, every)) }
})

/** Loaded only with `--routes`, `--database` and `--mcp`. */
const modules = {
  changes: Effect.promise(() => import("./Changes.js")),
  fleetMetrics: Effect.promise(() => import("./FleetMetrics.js")),
  mcp: Effect.promise(() => import("../mcp/Server.js")),
}

export const command = (version: string): Command.Command =>
  Command.make({
    description:
      "Serve the events until interrupted: a page that updates itself, JSON, metrics, and a calendar of planned maintenance.",
    examples: [
      "vigil serve --sandbox",
      "vigil serve --sandbox --every 1m --port 8080",
      "vigil serve --sandbox --type PlannedMaintenance --region westeurope",
    ],
    isServer: true,
    flags: {
      ...Snapshot.flags,
      every: Polling.every,
      port: Flag.withDefault(Flag.port, defaultPort, "Port; 0 is any free port"),
      routes: RoutesFile.flag,
      stateFile: StateFile.flag,
      host: Flag.withDefault(Flag.text("host"), "127.0.0.1", `Address; beyond loopback, set ${Access.variable}`),
      mcp: Flag.boolean("Serve tools for language models at /mcp"),
      database: { ...Database.flag, description: "Add metrics of a fleet (environment: VIGIL_DATABASE_URL)" },
    },
    run: function* ({ database, every, host, mcp, port, routes, stateFile, ...flags }) {
      yield* Lists.check(flags)
      if (routes === undefined && stateFile !== undefined)
        return yield* new Failure.UsageError("--state-file requires --routes.")
      if (routes !== undefined && (flags.tenantWide || flags.resource !== undefined))
        return yield* new Failure.UsageError("--routes requires subscriptions: omit --resource and --tenant-wide.")
      if (mcp && (flags.tenantWide || flags.resource !== undefined))
        return yield* new Failure.UsageError("--mcp requires subscriptions: omit --resource and --tenant-wide.")
      const access = yield* Access.make(host)
      const databaseUrl = yield* Database.find(database)
      const connection = yield* Connection.health(flags)
      // Read once: later changes of the settings have no effect.
      const subscription = yield* Lists.subscriptions(connection, flags)
      const selection = Selection.make(flags)
      const options = {
        ...flags,
        apiVersion: connection.apiVersion,
        subscription,
        selection,
        every,
        connection,
        stateFile,
      }
      const { data, note, status } = yield* Output
      // Without routes, nothing is sent.
      const changes = routes === undefined ? undefined : yield* (yield* modules.changes).make({ ...options, routes })
      const { now, polls, state } = yield* makePoller({
        ...options,
        onSuccess: changes?.deliver ?? (() => Effect.void),
      })
      const fleet = databaseUrl && (yield* (yield* modules.fleetMetrics).make(databaseUrl))
      const families = () => [...(changes?.families() ?? []), ...(fleet?.() ?? [])]
      const tools = mcp
        ? yield* (yield* modules.mcp).handler({ ...connection, version, subscriptions: subscription })
        : undefined
      const respond = Handler.make({
        access,
        state,
        now,
        families,
        every: Duration.toMillis(every),
        version,
        mcp: tools,
      })
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const onDefect = (error: unknown) => run(note(Failure.report(Cause.die(error)).sentence ?? ""))
      const url = yield* Server.listen({ host, port, maxConnections, respond, onDefect })
      yield* data([url])
      yield* note("Open the URL in a browser. Press Ctrl-C to stop.")
      yield* Effect.ensuring(polls, status(undefined))
    },
  })

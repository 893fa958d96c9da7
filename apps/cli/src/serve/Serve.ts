/** `vigil serve`: polls the events, and serves them as a page, as JSON, and for monitoring and calendars. */
import * as Limits from "@vigil/health-schema/Limits"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Command from "../command/Command.js"
import { version } from "../command/Version.js"
import * as Connection from "../connection/Connection.js"
import * as EventSelection from "../lists/EventSelection.js"
import * as Lists from "../lists/Lists.js"
import * as Polling from "../watches/Polling.js"
import * as EventLists from "../lists/EventLists.js"
import * as StateFile from "../files/StateFile.js"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"
import * as Database from "../fleet/shared/Database.js"
import * as PublicUrl from "../notify/shared/PublicUrl.js"
import * as RoutesFile from "../notify/shared/RoutesFile.js"
import { Output } from "../output/Output.js"
import * as Access from "./Access.js"
import * as Handler from "./Handler.js"
import * as Poller from "./Poller.js"
import * as Server from "../listen/Server.js"
import type * as State from "./State.js"

/** Below the ports that systems assign to clients, and no default of Prometheus, its exporters or OpenTelemetry. */
const defaultPort = "9846"

const maxConnections = 1_000

/** Loaded only with `--routes`, `--database` and `--mcp`. */
const modules = {
  notifications: Effect.promise(() => import("./Notifications.js")),
  fleetMetrics: Effect.promise(() => import("./FleetMetrics.js")),
  mcp: Effect.promise(() => import("../mcp/Server.js")),
}

/** What is polled, in a few words. */
const summary = ({ names }: Pick<Connection.Health, "names">, { leftOut, lists }: State.State): string => {
  const required = lists.filter(({ isRequired }) => isRequired).map(({ subject }) => subject)
  const ids = required.filter(Subject.isSubscription)
  const served =
    ids.length > 0
      ? names.summary(ids)
      : required.map((one) => (Subject.isSubscription(one) ? "" : Subject.label(one))).join("")
  return [served, ...leftOut.map((subject) => `without ${Subject.label(subject)}`)].join(", ")
}

export const command = Command.make({
  description:
    "Serve the events until interrupted: a page that updates itself, JSON, metrics, and a calendar of planned maintenance.",
  examples: [
    "vigil serve --sandbox",
    "vigil serve --sandbox --every 1m --port 8080",
    "vigil serve --sandbox --type PlannedMaintenance --region westeurope",
  ],
  isServer: true,
  flags: {
    ...EventLists.flags,
    resources: EventLists.resources,
    every: Polling.every,
    port: Flag.withDefault(Flag.port, defaultPort, "Port; 0 is any free port"),
    routes: RoutesFile.flag,
    stateFile: StateFile.flag,
    publicUrl: PublicUrl.flag,
    host: Flag.withDefault(Flag.text("host"), "127.0.0.1", `Address; beyond loopback, set ${Access.variable}`),
    mcp: Flag.boolean("Serve tools for language models at /mcp"),
    database: { ...Database.flag, description: "Add metrics of a fleet (environment: VIGIL_DATABASE_URL)" },
  },
  run: function* ({ database, every, host, mcp, port, routes, stateFile, ...flags }) {
    yield* Lists.checkFlags(flags)
    const isGiven = { "--resources": flags.resources, "--routes": routes !== undefined, "--mcp": mcp }
    yield* Lists.requireSubscriptions(flags, isGiven)
    if (routes === undefined && stateFile !== undefined) return yield* new UsageError("--state-file requires --routes.")
    const access = yield* Access.make(host)
    const databaseUrl = yield* Database.find(database)
    const connection = yield* Connection.health(flags)
    // Read once: later changes of the settings have no effect.
    const subscription = yield* Lists.subscriptions(connection, flags)
    const options = { ...flags, apiVersion: connection.apiVersion, subscription, every, connection, stateFile }
    const scope = {
      ...EventLists.scopeOf(flags, subscription),
      withoutTenant: connection.withoutTenant && !flags.tenantWide,
    }
    const { data, note, status } = yield* Output
    // Without routes, nothing is sent.
    const notifications =
      routes === undefined ? undefined : yield* (yield* modules.notifications).make({ ...options, routes })
    const { now, polls, state } = yield* Poller.make({
      ...options,
      scope,
      reach: notifications?.reach ?? Duration.zero,
      onSuccess: notifications?.deliver ?? (() => Effect.void),
      onResources: notifications?.deliverResources ?? (() => Effect.void),
    })
    const fleet = databaseUrl && (yield* (yield* modules.fleetMetrics).make(databaseUrl))
    const families = () => [...(notifications?.families() ?? []), ...(fleet?.() ?? [])]
    const tools = mcp
      ? yield* (yield* modules.mcp).handler({
          ...connection,
          version,
          subscriptions: subscription,
          names: connection.names.all,
        })
      : undefined
    const respond = Handler.make({
      access,
      names: connection.names,
      selects: EventSelection.make(flags).selects,
      state,
      now,
      families,
      isStored: () => notifications?.isStored() ?? true,
      every: Duration.toMillis(every),
      version,
      publicUrl: flags.publicUrl,
      period: Lists.period(flags, Limits.activeDaysBack).replace(/^, /, ""),
      mcp: tools,
    })
    const url = yield* Server.listen({ host, port, maxConnections, respond })
    yield* data([url])
    yield* note(`Serving ${summary(connection, state())}. Open the URL in a browser. Press Ctrl-C to stop.`)
    yield* Effect.ensuring(polls, status(undefined))
  },
})

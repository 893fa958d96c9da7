/** A Postgres server, a sandbox, and runners that share them. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as SqlClient from "effect/sql/SqlClient"
import { Credential, Reason, RequestError } from "@vigil/core-http"
import { Connection, HealthClient, SubscriptionId } from "@vigil/health-client"
import { Fleet, Subscriptions } from "@vigil/health-fleet"
import type { Notification, Sink } from "@vigil/notify"
import { Sandbox, World } from "@vigil/sandbox"
import * as Postgres from "@vigil/testing/Postgres"
import { afterAll } from "@effect/vitest"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { type Settings, startRunner } from "./processes.js"

let server: Promise<Postgres.Postgres> | undefined

/** One server for the tests of a file. */
export const postgres = () => (server ??= Postgres.start())

afterAll(async () => {
  await (await server)?.stop()
  server = undefined
})

let databases = 0

/** Creates an empty database. */
export const database = Effect.gen(function* () {
  const { url } = yield* Effect.promise(postgres)
  databases += 1
  const name = `test_${databases}`
  const create = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)}`)
  yield* Effect.provide(create, PgClient.layer({ url: Redacted.make(url) }))
  return Redacted.make(url.replace("/postgres?", `/${name}?`))
})

export const sqlLayer = (url: Redacted.Redacted) => PgClient.layer({ url, maxConnections: 4 })

const fail = (reason: RequestError.RequestReason) =>
  Effect.fail(
    new RequestError.RequestError({ service: "chat", operation: "Sink.deliver", reason, maybeApplied: false }),
  )

type Outcome = "accepts" | "unavailable" | "refuses" | "dies"

/** The effect of a sink for each outcome. */
const outcomes: Readonly<Record<Outcome, Effect.Effect<void, RequestError.RequestError>>> = {
  accepts: Effect.void,
  unavailable: fail(new Reason.Transport({ origin: "https://chat.example", code: "ECONNREFUSED" })),
  refuses: fail(new Reason.Decode({ path: "", problem: "is invalid" })),
  dies: Effect.die(new TypeError("a defect with a secret")),
}

/** A sink that records the notifications it accepts. */
export const recorder = (
  outcome: (notification: Notification.Notification, attempts: number) => Outcome = () => "accepts",
  name = "recorder",
) => {
  const received: Array<Notification.Notification> = []
  let attempts = 0
  const sink: Sink.Sink = {
    name,
    deliver: (notification) =>
      Effect.suspend(() => outcomes[outcome(notification, (attempts += 1))]).pipe(
        Effect.tap(() => Effect.sync(() => void received.push(notification))),
      ),
  }
  const states = () => received.map(({ key, state }) => `${key}:${state}`)
  /** Waits until the sink has accepted this many notifications, or more. */
  const has = (count: number) => eventually(Effect.sync(() => received.length >= count))
  return { sink, received, states, has, attempts: () => attempts }
}

/** Short periods, so that tests end soon. The lease also limits each statement, which may take seconds on a busy machine. */
const quick = { minPeriod: "50 millis", maxPeriod: "200 millis", lease: "30 seconds" } as const

/** A sandbox without events, a fleet with its subscriptions (or `added`), and functions to run effects and runners on them. */
export const ground = (options: Sandbox.Options = {}, added?: ReadonlyArray<SubscriptionId.SubscriptionId>) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox.make(options)
    const { accessToken, baseUrl, change, refuse, requests, world } = sandbox
    yield* change((world) => ({ ...world, events: [] }))
    const url = yield* database
    const context = yield* Layer.build(sqlLayer(url))
    const client = HealthClient.layer.pipe(
      Layer.provide(Connection.layer({ baseUrl, credential: Credential.bearer(accessToken) })),
    )
    const subscriptions = world.subscriptions.map(({ id }) => SubscriptionId.make(id))
    /** Runs an effect on the database. */
    const withDatabase = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, context)
    const layerOf = (settings: Fleet.Options, layer = sqlLayer(url), http = FetchHttpClient.layer) =>
      Fleet.layer({ ...quick, ...settings }).pipe(Layer.provide(client), Layer.provide(http), Layer.provide(layer))
    const run = (...args: Parameters<typeof layerOf>) => Layer.launch(layerOf(...args))
    yield* withDatabase(Effect.andThen(Fleet.migrateDatabase, Subscriptions.add(added ?? subscriptions)))
    return {
      sandbox,
      accessToken,
      baseUrl,
      change,
      subscriptions,
      url,
      requests,
      refuse,
      sql: Context.get(context, SqlClient.SqlClient),
      withDatabase,
      run,
      /** Starts a runner until the scope closes, and returns its service. */
      build: (...args: Parameters<typeof layerOf>) => Layer.build(layerOf(...args)),
      /** Starts a runner in the background. */
      start: (settings: Fleet.Options = {}) => Effect.forkScoped(run(settings)),
      /** Starts a runner in a process of its own. */
      startProcess: (name: string, options: Settings["options"], sinks: Settings["sinks"] = []) =>
        startRunner({ baseUrl, token: accessToken, url, sinks, options }, name),
      /** Adds an event, or replaces it. */
      put: (name: string, subscriptions: ReadonlyArray<string>, options?: Parameters<typeof event>[3]) =>
        change(World.put(event(world, name, subscriptions, options))),
      remove: (name: string) => change(World.remove(event(world, name, []).event.id ?? "")),
    }
  })

/** Waits until a condition holds. */
export const eventually = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  isDone: (value: A) => boolean = Boolean,
  limit: Duration.Input = "1 minute",
) =>
  Effect.gen(function* () {
    let value = yield* effect
    while (!isDone(value)) {
      yield* Effect.sleep("20 millis")
      value = yield* effect
    }
    return value
  }).pipe(Effect.timeout(limit))

/** An event of some subscriptions, updated `minutesAgo` minutes before the time of the world. */
export const event = (
  { now, vendor }: World.World,
  name: string,
  subscriptions: ReadonlyArray<string>,
  { status = "Active", title = name, minutesAgo = 0, summary = "" } = {},
): World.WorldEvent => {
  const lastUpdate = now - minutesAgo * 60_000
  return {
    event: {
      id: `/providers/${vendor}.ResourceHealth/events/${name}`,
      name,
      properties: {
        eventType: "ServiceIssue",
        title,
        status,
        summary,
        lastUpdateTime: new Date(lastUpdate).toISOString(),
      },
    },
    lastUpdate,
    subscriptions,
    resources: [],
  }
}

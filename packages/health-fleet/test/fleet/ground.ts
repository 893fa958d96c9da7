/** A Postgres server, a sandbox, and runners that share them. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as SqlClient from "@effect/sql/SqlClient"
import { Credential } from "@vigil/core-http"
import { HealthClient, SubscriptionId } from "@vigil/health-client"
import { Fleet } from "@vigil/health-fleet"
import type { Notification, Sink } from "@vigil/notify"
import { Sandbox, World } from "@vigil/sandbox"
import * as Postgres from "@vigil/testing/Postgres"
import { afterAll } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"

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

/** Keeps what it gets. Fails as `fail` says. */
export const recordingSink = (
  name = "recorder",
  fail: (notification: Notification.Notification, attempt: number) => ReturnType<Sink.Sink["deliver"]> = () =>
    Effect.void,
) => {
  const received: Array<Notification.Notification> = []
  let attempts = 0
  const sink: Sink.Sink = {
    name,
    deliver: (notification) =>
      Effect.suspend(() => fail(notification, (attempts += 1))).pipe(
        Effect.tap(() =>
          Effect.sync(() => {
            received.push(notification)
          }),
        ),
      ),
  }
  return { sink, received }
}

/** Short periods, so that tests end soon. */
export const quick = { minPeriod: "50 millis", maxPeriod: "200 millis", lease: "1 second" } as const

/** A sandbox, a database with its subscriptions, and functions to run effects and runners on them. */
export const ground = (options: Sandbox.Options = {}) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox.make(options)
    const url = yield* database
    const sql = yield* Layer.build(sqlLayer(url))
    const client = HealthClient.layer({
      baseUrl: sandbox.baseUrl,
      credential: Credential.bearer(sandbox.accessToken),
    }).pipe(Layer.provide(FetchHttpClient.layer))
    const subscriptions = sandbox.world.subscriptions.map(({ id }) => SubscriptionId.make(id))
    const run = (settings: Fleet.Options) =>
      Fleet.run({ ...quick, ...settings }).pipe(Effect.provide(client), Effect.provide(sqlLayer(url)))
    return {
      sandbox,
      subscriptions,
      url,
      /** Runs an effect on the database. */
      withDatabase: <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) => Effect.provide(effect, sql),
      run,
      /** Starts a runner in the background. */
      start: (settings: Fleet.Options) => Effect.forkScoped(run(settings)),
    }
  })

/** Waits until a condition holds. */
export const eventually = <A, E, R>(effect: Effect.Effect<A, E, R>, isDone: (value: A) => boolean) =>
  Effect.repeat(effect, { until: isDone, schedule: Schedule.spaced("20 millis") }).pipe(
    Effect.zipRight(effect),
    Effect.timeout("15 seconds"),
  )

/** An event of some subscriptions, updated at a number of minutes before the time of the world. */
export const event = (
  { now, vendor }: World.World,
  name: string,
  subscriptions: ReadonlyArray<string>,
  { status = "Active", title = name, minutesAgo = 0 } = {},
): World.WorldEvent => {
  const lastUpdate = now - minutesAgo * 60_000
  return {
    event: {
      id: `/providers/${vendor}.ResourceHealth/events/${name}`,
      name,
      properties: { eventType: "ServiceIssue", title, status, lastUpdateTime: new Date(lastUpdate).toISOString() },
    },
    lastUpdate,
    subscriptions,
    resources: [],
  }
}

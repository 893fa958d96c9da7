import { describe, expect, it } from "@effect/vitest"
import { Filter, HealthClient } from "@vigil/health-client"
import { Fleet, Status, Subscriptions } from "@vigil/health-fleet"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as SqlClient from "effect/sql/SqlClient"
import { ApiVersion } from "@vigil/health-schema"
import { Routes } from "@vigil/notify"
import { World } from "@vigil/sandbox"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Fiber from "effect/Fiber"
import * as Number from "effect/Number"
import * as Redacted from "effect/Redacted"
import * as String from "effect/String"
import { database, event, eventually, ground, recorder } from "./ground.js"

describe("a fleet", () => {
  it.live("with two runners delivers the opening, the update and the resolution of an event once", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions, withDatabase } = yield* ground()
      const { has, sink, states } = recorder()
      const some = subscriptions.slice(0, 1)
      yield* put("E", some, { minutesAgo: 3 })
      yield* start({ sinks: [sink], name: "one", lease: "1 minute" })
      yield* start({ sinks: [sink], name: "other", lease: "1 minute" })
      yield* has(1)
      yield* put("E", some, { title: "More is known", minutesAgo: 2 })
      yield* has(2)
      yield* put("E", some, { status: "Resolved", minutesAgo: 1 })
      yield* has(3)
      expect(states()).toEqual(["e:opened", "e:updated", "e:resolved"])
      const status = yield* eventually(
        withDatabase(Status.status),
        ({ runners }) => runners.length === 2 && Number.sumAll(runners.map(({ subscriptions }) => subscriptions)) === 2,
      )
      expect(status).toMatchObject({ subscriptions: 2, failing: 0, refused: 0 })
      expect(status.runners.map(({ name }) => name).toSorted()).toEqual(["one", "other"])
    }),
  )

  it.live("reports the settings of each runner, and sinks that no runner serves", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions, withDatabase } = yield* ground()
      const [old, renamed] = [recorder(() => "unavailable", "old"), recorder(undefined, "renamed")]
      yield* put("E", subscriptions.slice(0, 1))
      const first = yield* start({ sinks: [old.sink], name: "one" })
      const status = withDatabase(Status.status)
      yield* eventually(status, ({ sinks }) => sinks[0]?.name === "old" && sinks[0].isServed)
      yield* start({ sinks: [renamed.sink], name: "other" })
      const { runners } = yield* eventually(status, ({ runners }) => runners.length === 2)
      const service = expect.stringMatching(/^[\da-f]{16}$/)
      const common = { filter: "", apiVersion: ApiVersion.defaultVersion, service }
      expect(runners.map(({ name, settings }) => ({ name, settings: JSON.parse(settings) }))).toEqual([
        { name: "one", settings: { sinks: ["old"], ...common } },
        { name: "other", settings: { sinks: ["renamed"], ...common } },
      ])
      yield* Fiber.interrupt(first)
      expect((yield* status).sinks).toMatchObject([{ name: "old", pending: 1, isServed: false }])
    }),
  )

  it.live("records a failed poll, and continues to poll", () =>
    Effect.gen(function* () {
      const { refuse, start, withDatabase } = yield* ground()
      yield* refuse(() => 403)
      yield* start()
      const status = withDatabase(Status.status)
      yield* eventually(Effect.map(status, ({ failing }) => failing === 2))
      const [first] = yield* withDatabase(Status.subscriptions)
      expect(first?.error).toContain("403")
      expect(first?.succeededAt).toBeNull()
      yield* refuse(() => undefined)
      yield* eventually(Effect.map(status, ({ failing }) => failing === 0))
    }),
  )

  it.live("claims one subscription per turn of its rate limit", () =>
    Effect.gen(function* () {
      const { refuse, requests, sql, start, subscriptions } = yield* ground({ subscriptions: 5 })
      yield* refuse(() => Effect.never)
      yield* start({ rateLimit: { requests: 2, per: "1 second" } })
      // Each claim is a transaction.
      const claims = sql`SELECT DISTINCT xmin::text FROM vigil_claims WHERE token IS NOT NULL`
      yield* eventually(claims, ({ length }) => length === subscriptions.length)
      yield* eventually(requests, ({ length }) => length === subscriptions.length)
    }),
  )

  it.live("starts over with another filter, but omits known and resolved events, even after a failed poll", () =>
    Effect.gen(function* () {
      const { put, refuse, start, subscriptions, withDatabase } = yield* ground()
      const { has, sink, states } = recorder()
      yield* put("E", subscriptions, { minutesAgo: 3 })
      const first = yield* start({ sinks: [sink] })
      yield* has(1)
      yield* put("E", subscriptions, { minutesAgo: 2 })
      yield* has(2)
      yield* Fiber.interrupt(first)
      yield* put("NEWS", subscriptions, { minutesAgo: 1 })
      yield* put("OVER", subscriptions, { minutesAgo: 1, status: "Resolved" })
      const other = yield* start({ sinks: [sink], filter: Filter.raw("service eq 'A'"), name: "other" })
      const polled = Effect.map(withDatabase(Status.subscriptions), (all) =>
        all.every(({ openEvents, runner }) => runner === "other" && openEvents === 0),
      )
      yield* eventually(polled)
      expect(yield* withDatabase(Status.status)).toMatchObject({ failing: 0 })
      yield* Fiber.interrupt(other)
      yield* refuse(() => 403)
      yield* start({ sinks: [sink] })
      yield* eventually(withDatabase(Status.status), ({ failing }) => failing === subscriptions.length)
      yield* refuse(() => undefined)
      yield* eventually(Effect.sync(() => states().includes("news:opened")))
      yield* put("E", subscriptions, { status: "Resolved" })
      yield* eventually(Effect.sync(() => states().includes("e:resolved")))
      expect(states()).toEqual(["e:opened", "e:updated", "news:opened", "e:resolved"])
    }),
  )

  it.live("works with a database client that transforms column names", () =>
    Effect.gen(function* () {
      const { put, run, subscriptions, url } = yield* ground()
      const { has, sink } = recorder()
      yield* put("E", subscriptions)
      const transform = { transformResultNames: String.snakeToCamel, transformQueryNames: String.camelToSnake }
      yield* Effect.forkScoped(run({ sinks: [sink] }, PgClient.layer({ url, ...transform })))
      yield* has(1)
    }),
  )

  it.live("takes no time from the clock of a machine, which may be months ahead", () =>
    Effect.gen(function* () {
      const { put, run, subscriptions } = yield* ground()
      const { has, sink } = recorder(undefined, "chat")
      const routes = Result.getOrThrow(
        Routes.parse(`sinks: { chat: { type: slack, url: { env: URL } } }\nroutes: [{ to: chat, groupFor: 1 second }]`),
      )
      const clock = yield* Clock.Clock
      const now = () => clock.currentTimeMillisUnsafe() + 100 * 86_400_000
      const ahead: Clock.Clock = Object.assign(Object.create(clock), {
        currentTimeMillis: Effect.sync(now),
        currentTimeMillisUnsafe: now,
      })
      yield* put("E", subscriptions.slice(0, 1), { minutesAgo: 2 })
      yield* Effect.forkScoped(Effect.provideService(run({ sinks: [sink], routes }), Clock.Clock, ahead))
      // The list reaches back from the time of the poll, and the update is held back until a time.
      yield* has(1)
      yield* put("E", subscriptions.slice(0, 1), { minutesAgo: 1 })
      yield* has(2)
    }),
  )

  it.live("counts invalid events", () =>
    Effect.gen(function* () {
      const { sandbox, start, subscriptions, withDatabase } = yield* ground()
      const { event: shown, ...rest } = event(sandbox.world, "E", subscriptions.slice(0, 1))
      const invalid: typeof shown = JSON.parse(JSON.stringify(shown).replace('"title":"E"', '"title":5'))
      yield* sandbox.change(World.put({ ...rest, event: invalid }))
      yield* start()
      yield* eventually(withDatabase(Status.subscriptions), ([first]) => first?.invalid === 1)
    }),
  )

  const offline = Effect.provide(HealthClient.layerTest())

  it.live("fails with InvalidSetting if an option is invalid", () =>
    Effect.gen(function* () {
      const { url } = yield* ground()
      const { sink } = recorder()
      const routes = Result.getOrThrow(
        Routes.parse("sinks: { chat: { type: slack, url: { env: URL } } }\nroutes: [{ to: chat }]"),
      )
      const settings: Record<string, Fleet.Options> = {
        concurrency: { concurrency: 0 },
        sinks: { sinks: [sink, sink] },
        lease: { lease: "999 millis" },
        maxPeriod: { maxPeriod: NaN },
        minPeriod: { minPeriod: "2 minutes", maxPeriod: "1 minute" },
      }
      const limits = [
        ["rateLimit.requests", { rateLimit: { requests: 0, per: "1 second" } }],
        ["rateLimit.requests", { rateLimit: { requests: NaN, per: "1 second" } }],
        ["rateLimit.per", { rateLimit: { requests: 1, per: 0 } }],
      ] as const
      const others = [...limits, ["sinks", { routes }] as const, ["lease", { lease: "61 minutes" }] as const]
      for (const [setting, options] of [...Object.entries(settings), ...others]) {
        const error = yield* Effect.flip(
          Layer.launch(Fleet.layer(options)).pipe(offline, Effect.provide(PgClient.layer({ url }))),
        )
        expect(error).toMatchObject({ _tag: "InvalidSetting", setting })
      }
    }),
  )

  it.live("keeps the history of old events for months, or while they are open in a paused subscription", () =>
    Effect.gen(function* () {
      const { sql, start, subscriptions, withDatabase } = yield* ground()
      const [first = "", second = ""] = subscriptions
      yield* withDatabase(Subscriptions.pause(subscriptions.slice(0, 1)))
      yield* sql`
        INSERT INTO vigil_events (event_key, changed_at)
        SELECT key, now() - days * interval '1 day' FROM (VALUES ('new', 100), ('old', 400), ('paused', 400)) AS _ (key, days)`
      yield* sql`INSERT INTO vigil_open_events VALUES (${first}, 'paused'), (${second}, 'old')`
      yield* sql`UPDATE vigil_claims SET succeeded_at = now() WHERE subscription = ${second}`
      yield* start({ sinks: [recorder().sink], lookback: "30 days" })
      const keys = Effect.map(
        sql<{ event_key: string }>`SELECT event_key FROM vigil_events ORDER BY event_key`,
        (rows) => rows.map(({ event_key }) => event_key),
      )
      expect(yield* eventually(keys, ({ length }) => length === 2)).toEqual(["new", "paused"])
    }),
  )

  it.live("fails with FleetError if it cannot create its tables, or if another program has one of the same name", () =>
    Effect.gen(function* () {
      const url = yield* database
      const readOnly = Redacted.make(`${Redacted.value(url)}&options=-c%20default_transaction_read_only=on`)
      const error = yield* Effect.flip(
        Layer.launch(Fleet.layer()).pipe(offline, Effect.provide(PgClient.layer({ url: readOnly }))),
      )
      expect(error).toMatchObject({ _tag: "FleetError", attempt: "create the tables of the fleet", isRetryable: true })
      expect(error.message).toBe(
        "Could not create the tables of the fleet: the database is read-only (25006). Check the database and its URL.",
      )
      const createTable = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE vigil_outbox (id integer)`)
      const { message } = yield* createTable.pipe(
        Effect.andThen(Effect.flip(Fleet.migrateDatabase)),
        Effect.provide(PgClient.layer({ url })),
      )
      expect(message).toContain("a table of this name already exists (42P07)")
    }),
  )
})

import { describe, expect, it } from "@effect/vitest"
import { HealthClient } from "@vigil/health-client"
import { Fleet, Status } from "@vigil/health-fleet"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Routes } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { eventually, ground, recorder } from "./ground.js"

describe("a fleet", () => {
  it.scopedLive("delivers an event once, with its update and its resolution, from two runners", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions, withDatabase } = yield* ground()
      const { sink, states } = recorder()
      const some = subscriptions.slice(0, 1)
      yield* put("E", some, { minutesAgo: 3 })
      yield* start({ sinks: [sink], name: "one", lease: "1 minute" })
      yield* start({ sinks: [sink], name: "other", lease: "1 minute" })
      yield* eventually(Effect.sync(() => states().length === 1))
      yield* put("E", some, { title: "More is known", minutesAgo: 2 })
      yield* eventually(Effect.sync(() => states().length === 2))
      yield* put("E", some, { status: "Resolved", minutesAgo: 1 })
      yield* eventually(Effect.sync(() => states().length === 3))
      expect(states()).toEqual(["e:opened", "e:updated", "e:resolved"])
      const status = yield* withDatabase(Status.status)
      expect(status).toMatchObject({ subscriptions: 2, failing: 0, refused: 0 })
      expect(status.runners.map(({ name }) => name).toSorted()).toEqual(["one", "other"])
      expect(status.runners.reduce((sum, { subscriptions }) => sum + subscriptions, 0)).toBe(2)
    }),
  )

  it.scopedLive("continues where another runner stopped, and releases what it claimed", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions, withDatabase } = yield* ground()
      const { sink, states } = recorder()
      yield* put("E", subscriptions, { minutesAgo: 2 })
      const first = yield* start({ sinks: [sink] })
      yield* eventually(Effect.sync(() => states().length === 1))
      yield* Fiber.interrupt(first)
      expect((yield* withDatabase(Status.status)).runners).toEqual([])
      yield* put("E", subscriptions, { status: "Resolved", minutesAgo: 1 })
      yield* start({ sinks: [sink] })
      yield* eventually(Effect.sync(() => states().length === 2))
      expect(states()).toEqual(["e:opened", "e:resolved"])
    }),
  )

  it.scopedLive("does not deliver events that were over before the first poll", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions } = yield* ground()
      const { sink, states } = recorder()
      yield* put("OVER", subscriptions, { status: "Resolved" })
      yield* put("OPEN", subscriptions)
      yield* start({ sinks: [sink] })
      yield* eventually(Effect.sync(() => states().length > 0))
      expect(states()).toEqual(["open:opened"])
    }),
  )

  it.scopedLive("records a failed poll, and goes on", () =>
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

  it.scopedLive("works with texts that Postgres refuses", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions, withDatabase } = yield* ground()
      const { received, sink } = recorder()
      yield* put("NUL\0 and \ud800", subscriptions, { title: "A title with \0 and \udc00", minutesAgo: 2 })
      yield* start({ sinks: [sink] })
      yield* eventually(Effect.sync(() => received.length === 1))
      yield* put("NUL\0 and \ud800", subscriptions, { title: "\0", minutesAgo: 1 })
      yield* eventually(Effect.sync(() => received.length === 2))
      expect(received.map(({ state }) => state)).toEqual(["opened", "updated"])
      expect((yield* withDatabase(Status.status)).failing).toBe(0)
    }),
  )

  const offline = Effect.provide(HealthClient.layerTest())

  it.scopedLive("fails with InvalidSetting", () =>
    Effect.gen(function* () {
      const { url } = yield* ground()
      const { sink } = recorder()
      const routes = Either.getOrThrow(
        Routes.parse("sinks: { chat: { type: slack, url: { env: URL } } }\nroutes: [{ to: chat }]"),
      )
      const settings: Record<string, Fleet.Options> = {
        concurrency: { concurrency: 0 },
        sinkConcurrency: { sinkConcurrency: 1.5 },
        sinks: { sinks: [sink, sink] },
        lease: { lease: "999 millis" },
        minPeriod: { minPeriod: "2 minutes", maxPeriod: "1 minute" },
      }
      for (const [setting, options] of [...Object.entries(settings), ["sinks", { routes }] as const]) {
        const error = yield* Effect.flip(Fleet.run(options).pipe(offline, Effect.provide(PgClient.layer({ url }))))
        expect(error).toMatchObject({ _tag: "InvalidSetting", setting })
      }
    }),
  )

  it.scopedLive("fails with FleetError if it may not create its tables", () =>
    Effect.gen(function* () {
      const { url, withDatabase } = yield* ground()
      yield* withDatabase(Fleet.migrateDatabase)
      const readOnly = Redacted.make(`${Redacted.value(url)}&options=-c%20default_transaction_read_only=on`)
      const error = yield* Effect.flip(Fleet.run().pipe(offline, Effect.provide(PgClient.layer({ url: readOnly }))))
      expect(error._tag).toBe("FleetError")
      expect(error.message).toMatchInlineSnapshot(
        `"Could not register a runner: cannot execute INSERT in a read-only transaction. Check the database and its URL."`,
      )
    }),
  )
})

/** Runners that hang or end, and a database that hangs. */
import { readdirSync, readFileSync } from "node:fs"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type * as SqlClient from "effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import { Status, Subscriptions } from "@vigil/health-fleet"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { eventually, ground, postgres, recorder, sqlLayer } from "./ground.js"
import { startReceiver } from "./receiver.js"

/** Runs `body` on the database as a trigger. */
const trigger = (sql: SqlClient.SqlClient, body: string, when: string) =>
  Effect.gen(function* () {
    yield* sql.unsafe(`CREATE FUNCTION act() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NEW; END $$`)
    yield* sql.unsafe(`CREATE TRIGGER act ${when} EXECUTE FUNCTION act()`)
  })

const parentOf = (pid: string): number => {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])
  } catch {
    return Number.NaN
  }
}

/** Sends a signal to all processes of the server. */
const signalServer = (name: NodeJS.Signals) =>
  Effect.map(Effect.promise(postgres), ({ pid }) => {
    const server = pid()
    const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === server)
    for (const id of [server, ...children.map(Number)]) process.kill(id, name)
  })

describe("runners", () => {
  it.live("that lost their claim cannot store the outcome of their poll", () =>
    Effect.gen(function* () {
      const { put: putEvent, run, sql, start, subscriptions: known, url, withDatabase } = yield* ground({}, [])
      // Of two subscriptions, `silent` may have claimed only the other one, because their first polls are spread.
      const subscriptions = known.slice(0, 1)
      yield* withDatabase(Subscriptions.add(subscriptions))
      const { received, sink } = recorder()
      const put = (title: string, minutesAgo: number) => putEvent("E", subscriptions, { title, minutesAgo })
      yield* put("Old", 2)
      const [response, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      /** Delays the responses to the silent runner until `release`. */
      const hold = Effect.andThen(Deferred.succeed(response, undefined), Deferred.await(release))
      const slow = Layer.effect(
        HttpClient.HttpClient,
        Effect.map(HttpClient.HttpClient, HttpClient.transformResponse(Effect.tap(() => hold))),
      ).pipe(Layer.provide(FetchHttpClient.layer))
      yield* Effect.forkScoped(run({ name: "silent", sinks: [sink], lease: "2 seconds" }, sqlLayer(url), slow))
      yield* Deferred.await(response)
      // The claim of `silent` ends when its report extends it.
      yield* trigger(
        sql,
        "NEW.due_at := now()",
        "BEFORE UPDATE ON vigil_claims FOR EACH ROW WHEN (NEW.token = OLD.token AND NEW.due_at > OLD.due_at)",
      )
      yield* put("New", 1)
      yield* start({ sinks: [sink] })
      // Both runners may deliver the same notification, so each ID counts once.
      const titles = Effect.sync(() => [...new Map(received.map(({ id, title }) => [id, title])).values()])
      yield* eventually(titles, ({ length }) => length === 1)
      yield* Deferred.succeed(release, undefined)
      yield* eventually(withDatabase(Status.status), ({ refused }) => refused > 0)
      yield* put("Newest", 0)
      yield* eventually(titles, (all) => all.includes("Newest"))
      expect(yield* titles).toEqual(["New", "Newest"])
    }),
  )

  it.live("take over from one that hangs inside a transaction, whose locks last as long as its connection", () =>
    Effect.gen(function* () {
      const { put, sql, startProcess, subscriptions, withDatabase } = yield* ground()
      yield* put("E", subscriptions.slice(0, 1), { minutesAgo: 1 })
      const receiver = yield* startReceiver("webhook")
      // A transaction that stores a notification waits for as long as this connection has the lock.
      yield* trigger(sql, "PERFORM pg_advisory_xact_lock_shared(1)", "BEFORE INSERT ON vigil_outbox FOR EACH ROW")
      const onConnection = Effect.provideService(sql.transactionService, [yield* sql.reserve, 0])
      yield* onConnection(sql`SELECT pg_advisory_lock(1)`)
      const start = (name: string) => startProcess(name, { minPeriod: 200, maxPeriod: 200, lease: 4_000 }, [receiver])
      const victim = yield* start("victim")
      const waiting = sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`
      yield* eventually(waiting, ({ length }) => length > 0)
      yield* victim.signal("SIGSTOP")
      yield* onConnection(sql`SELECT pg_advisory_unlock(1)`)
      yield* start("survivor")
      yield* eventually(Effect.sync(() => receiver.received.length > 0))
      // The victim continues, but its connection is closed.
      yield* victim.signal("SIGCONT")
      const { lastPollAt } = yield* withDatabase(Status.status)
      yield* eventually(withDatabase(Status.status), ({ runners }) =>
        runners.some(({ name, seenAt }) => name === "victim" && lastPollAt !== null && seenAt > lastPollAt),
      )
      expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
    }),
  )

  const patience = process.env["LARGE_INPUTS"] === undefined ? "1 minute" : "15 seconds"

  it.live("end after SIGTERM and release their claims, even if nothing responds", () =>
    Effect.gen(function* () {
      const { put, refuse, sql, startProcess, subscriptions } = yield* ground()
      const [first = "", second = ""] = subscriptions
      yield* put("E", [first], { minutesAgo: 1 })
      yield* refuse(({ target }) => (target.includes(second) ? Effect.never : undefined))
      const receiver = yield* startReceiver("webhook", () => 100_000)
      const runner = yield* startProcess("runner", { minPeriod: "1 hour", maxPeriod: "1 hour" }, [receiver])
      const claims = sql<{ name: string }>`
          SELECT 'poll' AS name FROM vigil_claims WHERE token IS NOT NULL AND due_at > now()
          UNION ALL SELECT 'delivery' FROM vigil_outbox WHERE claimed_until > now()
          UNION ALL SELECT 'runner' FROM vigil_runners`
      yield* eventually(claims, ({ length }) => length === 3)
      yield* runner.signal("SIGTERM")
      yield* Effect.timeout(runner.ended, patience)
      expect(yield* claims).toEqual([])
    }),
  )

  it.live("continue after the database did not respond for longer than the lease", () =>
    Effect.gen(function* () {
      const { put, start, subscriptions } = yield* ground()
      const { received, sink } = recorder()
      const titles = Effect.sync(() => received.map(({ title }) => title))
      yield* put("E", subscriptions, { title: "First", minutesAgo: 2 })
      const runner = start({ sinks: [sink], lease: "3 seconds" })
      yield* Effect.andThen(runner, runner)
      yield* eventually(titles, (all) => all.includes("First"))
      yield* signalServer("SIGSTOP")
      yield* Effect.sleep("5 seconds")
      yield* signalServer("SIGCONT")
      yield* put("E", subscriptions, { title: "Second", minutesAgo: 1 })
      yield* eventually(titles, (all) => all.includes("Second"))
      expect([...new Set(received.map(({ id }) => id))]).toHaveLength(2)
    }),
  )
})

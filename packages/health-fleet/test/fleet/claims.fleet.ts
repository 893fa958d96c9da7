/** Claims and the clock, the server and the sessions on which they depend. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { describe, expect, it } from "@effect/vitest"
import { Status } from "@vigil/health-fleet"
import * as SqlClient from "effect/sql/SqlClient"
import * as Pooler from "@vigil/testing/Pooler"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as claims from "../../src/internal/claims.js"
import { monotonic, type Report, type Runner } from "../../src/internal/runner.js"
import { eventually, ground, sqlLayer } from "./ground.js"

/** A runner that has reported just now. */
const runnerOn = Effect.fnUntraced(function* ({ sql }: Pick<Effect.Success<ReturnType<typeof ground>>, "sql">) {
  const [report] = yield* sql<typeof Report.Type>`
    SELECT pg_postmaster_start_time()::text AS server, extract(epoch FROM now())::double precision AS now, 1 AS count`
  const runner: Runner = {
    id: crypto.randomUUID(),
    lease: Duration.seconds(10),
    polls: new Map(),
    deliveries: new Map(),
    report: report && { ...report, at: yield* monotonic },
    floor: { at: -Infinity },
  }
  return runner
})

describe("a claim", () => {
  it.live("is not due until its own lease ends, and has another token afterwards", () =>
    Effect.gen(function* () {
      const scene = yield* ground()
      const claim = scene.withDatabase(claims.claim(yield* runnerOn(scene), 10))
      const isDue = scene.sql`UPDATE vigil_claims SET due_at = now()`
      const claimed = yield* Effect.andThen(isDue, claim)
      expect(claimed).toHaveLength(2)
      expect(yield* claim).toEqual([])
      const again = yield* Effect.andThen(isDue, claim)
      expect(new Set([...claimed, ...again].map(({ token }) => token)).size).toBe(4)
    }),
  )

  it.live("starts at its floor, and what is due before it is found after a failure, and by a search", () =>
    Effect.gen(function* () {
      const scene = yield* ground()
      const runner = yield* runnerOn(scene)
      const claim = scene.withDatabase(claims.claim(runner, 10))
      yield* scene.sql`UPDATE vigil_claims SET due_at = now() + interval '1 hour'`
      expect(yield* claim).toEqual([])
      yield* scene.sql`UPDATE vigil_claims SET due_at = now() - interval '1 minute'`
      expect(yield* claim).toEqual([])
      yield* scene.sql`ALTER TABLE vigil_claims RENAME TO renamed`
      yield* Effect.flip(claim)
      yield* scene.sql`ALTER TABLE renamed RENAME TO vigil_claims`
      expect(yield* claim).toHaveLength(2)
      expect(yield* claim).toEqual([])
      yield* scene.sql`UPDATE vigil_claims SET due_at = now() - interval '1 minute'`
      expect(yield* claim).toEqual([])
      yield* scene.withDatabase(claims.findMissed(runner))
      expect(yield* claim).toHaveLength(2)
      // The clock of the database has moved back since.
      runner.floor = { at: (runner.report?.now ?? 0) + 7_200 }
      yield* scene.withDatabase(claims.findMissed(runner))
      runner.floor = { at: -Infinity }
      expect(yield* claim).toEqual([])
    }),
  )

  it.live.each([
    ["what is known of due times ends", { floor: { at: -Infinity } }, 0],
    ["a report arrives, and the one before was too old to claim", {}, 8],
  ] as const)("does not raise the floor if, while it runs, %s", ([, change, age]) =>
    Effect.gen(function* () {
      const scene = yield* ground()
      const runner = yield* runnerOn(scene)
      const { report } = runner
      runner.report = report && { ...report, now: report.now - age, at: report.at - age * 1_000 }
      const isLocked = (isGranted: boolean) =>
        eventually(
          scene.sql`SELECT FROM pg_locks WHERE relation = 'vigil_claims'::regclass AND granted = ${isGranted}`,
          ({ length }) => length > 0,
        )
      const locking = Effect.gen(function* () {
        yield* scene.sql`LOCK TABLE vigil_claims`
        yield* isLocked(false)
        Object.assign(runner, { report }, change)
      })
      yield* Effect.forkChild(scene.sql.withTransaction(locking))
      yield* isLocked(true)
      yield* scene.withDatabase(claims.claim(runner, 10))
      expect(runner.floor.at).toBe(-Infinity)
    }),
  )

  it.live("finds subscriptions that were changed while it ran the next time", () =>
    Effect.gen(function* () {
      const scene = yield* ground()
      const runner = yield* runnerOn(scene)
      const { sql } = scene
      yield* sql`UPDATE vigil_claims SET due_at = now() - interval '1 minute'`
      const other = Context.get(yield* Layer.build(sqlLayer(scene.url)), SqlClient.SqlClient)
      // A claim that has its snapshot, and locks no row before the gate opens.
      yield* sql`
        CREATE FUNCTION public.pg_postmaster_start_time() RETURNS timestamptz LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_advisory_lock_shared(1), pg_advisory_unlock_shared(1);
          RETURN pg_catalog.pg_postmaster_start_time();
        END $$`
      const gate = Effect.gen(function* () {
        yield* sql`SELECT pg_advisory_xact_lock(1)`
        yield* eventually(
          sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
          ({ length }) => length > 0,
        )
        // Of another session, which has committed it.
        yield* other`UPDATE vigil_claims SET refused = refused + 1`
      })
      const gated = new URL(Redacted.value(scene.url))
      gated.searchParams.set("options", "-c search_path=public,pg_catalog")
      yield* Effect.forkChild(sql.withTransaction(gate))
      yield* eventually(sql`SELECT FROM pg_locks WHERE locktype = 'advisory'`, ({ length }) => length > 0)
      expect(yield* claims.claim(runner, 10).pipe(Effect.provide(sqlLayer(Redacted.make(gated.href))))).toEqual([])
      expect(yield* scene.withDatabase(claims.claim(runner, 10))).toHaveLength(2)
    }),
  )

  it.live("finds nothing on another server, or if the clock has moved since the last report", () =>
    Effect.gen(function* () {
      const scene = yield* ground()
      yield* scene.sql`UPDATE vigil_claims SET due_at = now()`
      const known = yield* runnerOn(scene)
      const { at = 0, now = 0, server = "" } = known.report ?? {}
      const same = { at, count: 1, now, server, others: [] }
      const claimWith = (report: Runner["report"]) => scene.withDatabase(claims.claim({ ...known, report }, 10))
      for (const report of [
        undefined,
        { ...same, server: "2020-01-01" },
        { ...same, now: now + 60 },
        { ...same, now: now - 60 },
      ])
        expect(yield* claimWith(report)).toEqual([])
      expect(yield* claimWith(known.report)).toHaveLength(2)
    }),
  )
})

describe("runners", () => {
  it.live("poll on time after the clock of the database has moved back", () =>
    Effect.gen(function* () {
      const { sql, start, withDatabase } = yield* ground()
      yield* start()
      const isPolled = eventually(withDatabase(Status.subscriptions), (all) =>
        all.every(({ polledAt }) => polledAt !== null),
      )
      yield* isPolled
      // As if all rows had been written two hours later.
      yield* sql`
        WITH claims AS (UPDATE vigil_claims SET due_at = due_at + interval '2 hours'),
          tasks AS (UPDATE vigil_tasks SET due_at = due_at + interval '2 hours')
        UPDATE vigil_runners SET seen_at = seen_at + interval '2 hours', alive_until = alive_until + interval '2 hours'`
      yield* sql`UPDATE vigil_claims SET polled_at = NULL`
      yield* isPolled
      const [row] = yield* sql<{ hours: number }>`
        SELECT max(extract(epoch FROM due_at - now()))::double precision / 3600 AS hours FROM (
          SELECT due_at FROM vigil_claims UNION ALL SELECT due_at FROM vigil_tasks UNION ALL SELECT alive_until FROM vigil_runners
        ) AS all_times`
      expect(row?.hours).toBeLessThan(1.5)
    }),
  )

  it.live("count by their session only if it is their own, which that of a pooler is not", () =>
    Effect.gen(function* () {
      const { run, sql, start, url } = yield* ground()
      const pooled = yield* Pooler.start(Redacted.value(url))
      yield* start({ name: "direct" })
      yield* Effect.forkScoped(run({ name: "pooled" }, PgClient.layer({ url: Redacted.make(pooled), prepare: false })))
      const sessions = sql`
        SELECT name, session IS NOT NULL AS "hasSession" FROM vigil_runners WHERE worked_at IS NOT NULL ORDER BY name`
      expect(yield* eventually(sessions, ({ length }) => length === 2)).toEqual([
        { name: "direct", hasSession: true },
        { name: "pooled", hasSession: false },
      ])
    }),
  )
})

/** Runners that cannot work: they say so, and that they work again. */
import { expect, it } from "@effect/vitest"
import { Fleet, Status } from "@vigil/health-fleet"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { eventually, ground, recorder, sqlLayer } from "./ground.js"

/** A runner whose role may use the tables. */
const limited = Effect.gen(function* () {
  const scene = yield* ground()
  const { sql, subscriptions, put, url } = scene
  yield* put("E", subscriptions.slice(0, 1), { minutesAgo: 1 })
  const role = `limited_${new URL(Redacted.value(url)).pathname.slice(1)}`
  yield* sql`CREATE ROLE ${sql(role)} LOGIN`
  yield* sql`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${sql(role)}`
  yield* sql`GRANT CREATE ON SCHEMA public TO ${sql(role)}`
  const logs: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => void logs.push(`${logLevel} ${String(message)}`))
  const context = yield* scene
    .build(
      { sinks: [recorder().sink], lease: "2 seconds" },
      sqlLayer(Redacted.make(Redacted.value(url).replace("vigil@", `${role}@`))),
    )
    .pipe(Effect.provide(Logger.layer([logger])))
  const { problems } = Context.get(context, Fleet.Runner)
  const current = Effect.map(problems, (all) => all.map(({ message }) => message))
  const stored = Effect.map(scene.withDatabase(Status.status), ({ runners }) => runners[0]?.problem)
  yield* eventually(scene.withDatabase(Status.status), ({ lastPollAt }) => lastPollAt !== null)
  return { ...scene, role, logs, current, stored }
})

const denied = (attempt: string) =>
  `Could not ${attempt}: the user lacks a permission (42501). Check the database and its URL.`

it.live("a runner reports that it cannot claim polls, and that it can again", () =>
  Effect.gen(function* () {
    const { current, logs, role, sql, stored, withDatabase } = yield* limited
    yield* eventually(current, ({ length }) => length === 0)
    expect((yield* withDatabase(Status.status)).claimAge).toBeLessThan(30)
    yield* sql`REVOKE UPDATE ON vigil_claims FROM ${sql(role)}`
    yield* eventually(current, (all) => all.includes(denied("claim polls")))
    yield* eventually(stored, (problem) => problem === denied("claim polls"))
    yield* sql`GRANT UPDATE ON vigil_claims TO ${sql(role)}`
    yield* eventually(current, ({ length }) => length === 0)
    yield* eventually(stored, (problem) => problem === null)
    const lines = logs.filter((line) => line.includes("claim polls"))
    expect(lines).toEqual([`Warn ${denied("claim polls")}`, "Info The runner can claim polls again."])
  }),
)

it.live("a runner that cannot report is not alive, and claims nothing", () =>
  Effect.gen(function* () {
    const { current, role, sql, withDatabase } = yield* limited
    yield* sql`REVOKE UPDATE ON vigil_runners FROM ${sql(role)}`
    yield* eventually(current, (all) => all.includes(denied("report that the runner is alive")))
    yield* eventually(withDatabase(Status.status), ({ runners }) => runners[0]?.isAlive === false)
    const polls = Effect.map(withDatabase(Status.subscriptions), (all) => all.map(({ polledAt }) => polledAt))
    const before = yield* polls
    yield* Effect.sleep("1 second")
    expect(yield* polls).toEqual(before)
  }),
)

it.live("a runner reports that it cannot store polls", () =>
  Effect.gen(function* () {
    const { current, sql, stored } = yield* limited
    yield* sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END $$`
    yield* sql`CREATE TRIGGER refuse BEFORE UPDATE ON vigil_claims FOR EACH ROW WHEN (NEW.token IS NULL) EXECUTE FUNCTION refuse()`
    const full = "Could not store a poll: the disk of the database is full (53100). Check the database and its URL."
    yield* eventually(current, (all) => all.includes(full))
    yield* eventually(stored, (problem) => problem?.includes("53100") === true)
  }),
)

it.live("a runner does nothing while a runner of another service is alive, which started before", () =>
  Effect.gen(function* () {
    const { build, requests, sql, subscriptions, withDatabase } = yield* ground({}, [])
    yield* sql`
      INSERT INTO vigil_runners (runner, name, sinks, settings, started_at, alive_until, version)
      VALUES (gen_random_uuid(), 'first', '{}', '{"service":"another"}', now() - interval '1 hour', 'infinity', 4)`
    yield* build({ name: "second", lease: "2 seconds", list: Effect.succeed(subscriptions) })
    const status = withDatabase(Status.status)
    const message =
      "Could not join the fleet: runners with another base URL or vendor are alive (first). Use another database."
    yield* eventually(status, ({ runners }) => runners[1]?.problem === message)
    expect(yield* withDatabase(Status.subscriptions)).toEqual([])
    expect(yield* requests).toEqual([])
    yield* sql`DELETE FROM vigil_runners WHERE name = 'first'`
    yield* eventually(status, ({ lastPollAt, runners }) => lastPollAt !== null && runners[0]?.problem === null)
  }),
)

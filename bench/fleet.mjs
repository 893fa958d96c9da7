/** Two runners of a fleet on one machine with Postgres, which poll 2,000 subscriptions all the time: CPU time per poll, and polls per second. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as Fleet from "@vigil/health-fleet/Fleet"
import * as Subscriptions from "@vigil/health-fleet/Subscriptions"
import * as Postgres from "@vigil/testing/Postgres"
import { start, subscription } from "./server.mjs"

const script = fileURLToPath(new URL("../packages/health-fleet/test/fleet/runner.mjs", import.meta.url))

/** The CPU time of a process, in milliseconds. A tick of Linux is 10 ms. */
const cpuOf = ({ pid }) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const polls = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ count }] = yield* sql`SELECT last_value::integer AS count FROM vigil_epochs`
  return count
})

/** Needs Postgres on this machine. */
export const fleet = async () => {
  const { baseUrl, stop } = await start()
  const postgres = await Postgres.start()
  const run = (effect) =>
    Effect.runPromise(Effect.provide(effect, PgClient.layer({ url: Redacted.make(postgres.url) })))
  const subscriptions = Array.from({ length: 2_000 }, (_, number) => subscription({ events: 10, number, pages: 1 }))
  await run(Effect.andThen(Fleet.migrateDatabase, Subscriptions.add(subscriptions)))
  await run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE vigil_subscriptions SET due_at = now()`))
  const runners = ["first", "second"].map((name) => {
    const options = { name, minPeriod: 4_000, maxPeriod: 4_000, concurrency: 8 }
    const settings = { baseUrl, token: "a.b.c", url: postgres.url, sinks: [], connections: 4, options }
    return spawn(process.execPath, [script, JSON.stringify(settings)], { stdio: "inherit" })
  })
  const now = async () => ({
    count: await run(polls),
    cpu: runners.map(cpuOf).reduce((sum, one) => sum + one, 0),
    time: performance.now(),
  })
  // First polls store the state of a subscription.
  await setTimeout(20_000)
  const [before, after] = [await now(), await setTimeout(15_000).then(now)]
  for (const runner of runners) runner.kill()
  await Promise.all(runners.map((runner) => once(runner, "exit")))
  await postgres.stop()
  stop()
  const count = after.count - before.count
  return { cpu: (after.cpu - before.cpu) / count, perSecond: (count * 1000) / (after.time - before.time) }
}

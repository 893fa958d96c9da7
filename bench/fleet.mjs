/** Two runners of a fleet on one machine with Postgres, which poll 2,000 subscriptions all the time: CPU time per poll, and polls per second. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as Fleet from "@vigil/health-fleet/Fleet"
import * as Status from "@vigil/health-fleet/Status"
import * as Subscriptions from "@vigil/health-fleet/Subscriptions"
import * as Postgres from "@vigil/testing/Postgres"
import { event, page } from "./pages.mjs"

const script = fileURLToPath(new URL("../packages/health-fleet/test/fleet/runner.mjs", import.meta.url))

/** The CPU time of a process, in milliseconds. A tick of Linux is 10 ms. */
const cpuOf = ({ pid }) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** A page of 10 events that were just updated: a poll knows and compares them. 80 KB. */
const body = () => {
  const time = (minutes) => new Date(Date.now() - minutes * 60_000).toISOString()
  const events = Array.from({ length: 10 }, (_, index) => {
    const { properties, ...one } = event(index)
    const times = { impactStartTime: time(60), lastUpdateTime: time(index) }
    return { ...one, properties: { ...properties, ...times } }
  })
  return page(JSON.stringify(events), "")
}

/** Needs Postgres on this machine. */
export const fleet = async () => {
  const text = body()
  let count = 0
  const server = createServer((_, response) => {
    count += 1
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const baseUrl = `http://127.0.0.1:${server.address().port}`
  const postgres = await Postgres.start()
  const run = (effect) =>
    Effect.runPromise(Effect.provide(effect, PgClient.layer({ url: Redacted.make(postgres.url) })))
  const subscriptions = Array.from({ length: 2_000 }, (_, number) => `subscription-${number}`)
  await run(Effect.andThen(Fleet.migrateDatabase, Subscriptions.add(subscriptions)))
  await run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE vigil_claims SET due_at = now()`))
  const runners = ["first", "second"].map((name) => {
    const options = { name, minPeriod: 3_000, maxPeriod: 3_000, concurrency: 8 }
    const settings = { baseUrl, token: "a.b.c", url: postgres.url, sinks: [], connections: 4, options }
    return spawn(process.execPath, [script, JSON.stringify(settings)], { stdio: "inherit" })
  })
  const now = () => ({ count, cpu: runners.map(cpuOf).reduce((sum, one) => sum + one, 0), time: performance.now() })
  // First polls store the state of a subscription.
  await setTimeout(20_000)
  const [before, after] = [now(), await setTimeout(15_000).then(now)]
  const { failing } = await run(Status.status)
  if (failing > 0) throw new Error(`${failing} subscriptions failed`)
  for (const runner of runners) runner.kill()
  await Promise.all(runners.map((runner) => once(runner, "exit")))
  await postgres.stop()
  server.close()
  const polls = after.count - before.count
  return { cpu: (after.cpu - before.cpu) / polls, perSecond: (polls * 1000) / (after.time - before.time) }
}

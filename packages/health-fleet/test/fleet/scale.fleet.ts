/**
 * Measures the cost of two runners with many subscriptions. Each subscription is polled 12 times, as in an hour with a period of 5 minutes,
 * but as fast as the machine allows. CPU time and memory are therefore those of an hour, and the poll rate is the maximum of two runners.
 * LARGE_INPUTS measures up to 10,000 subscriptions and prints the results. SCALE_SUBSCRIPTIONS sets other numbers, such as `500,1000`.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import * as SqlClient from "@effect/sql/SqlClient"
import { expect, it } from "@effect/vitest"
import { SubscriptionId } from "@vigil/health-client"
import { Fleet, Status, Subscriptions } from "@vigil/health-fleet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { database, postgres, sqlLayer } from "./ground.js"
import { startRunner } from "./processes.js"
import { cpu, rss, slope, tables, treeCpu } from "./scaleSamples.js"

const isLarge = process.env["LARGE_INPUTS"] !== undefined
const sizes = (process.env["SCALE_SUBSCRIPTIONS"] ?? (isLarge ? "2500,5000,10000" : "20,40,80")).split(",").map(Number)
const polls = 12

const print = (result: unknown) => {
  if (isLarge) process.stdout.write(`${JSON.stringify(result)}\n`)
}

const Stats = Schema.Struct({
  polls: Schema.Number,
  lists: Schema.Number,
  least: Schema.Number,
  deliveries: Schema.Number,
  bytes: Schema.Number,
})

const startServer = Effect.gen(function* () {
  const script = fileURLToPath(new URL("scaleServer.mjs", import.meta.url))
  const child = yield* Effect.acquireRelease(
    // An empty `execArgv`: the server must not inherit the options of vitest.
    Effect.sync(() => fork(script, { execArgv: [] })),
    (child) =>
      Effect.sync(() => {
        child.kill("SIGKILL")
      }),
  )
  const [port] = yield* Effect.promise(() => once(child, "message"))
  const url = `http://127.0.0.1:${String(port)}`
  const stats = Effect.promise(async () => Schema.decodeUnknownSync(Stats)(await (await fetch(`${url}/stats`)).json()))
  return { url, stats, pid: child.pid ?? 0 }
})

const idOf = (_: unknown, index: number) =>
  SubscriptionId.make(`${index.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`)

const measure = (size: number) =>
  Effect.gen(function* () {
    const server = yield* startServer
    const url = yield* database
    const sql = yield* Layer.build(sqlLayer(url))
    const withDatabase = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) => Effect.provide(effect, sql)
    const { pid: postmaster } = yield* Effect.promise(postgres)
    yield* withDatabase(Fleet.migrateDatabase)
    yield* withDatabase(Subscriptions.add(Array.from({ length: size }, idOf)))
    // Makes all subscriptions due now, because their first polls would be spread over time.
    yield* withDatabase(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE vigil_subscriptions SET due_at = now()`),
    )
    const before = treeCpu(postmaster())
    const start = Date.now()
    const runners = yield* Effect.forEach(["one", "two"], (name) =>
      startRunner(
        {
          baseUrl: server.url,
          token: Redacted.make("token"),
          url,
          sinks: [{ name: "webhook", secret: `whsec_${Buffer.alloc(32).toString("base64")}`, url: server.url }],
          options: { minPeriod: 100, maxPeriod: 100, concurrency: 16 },
        },
        name,
      ),
    )
    const processes = runners.map(({ pid = 0 }) => pid)
    const memory: Array<ReadonlyArray<number>> = []
    const sample = Effect.gen(function* () {
      memory.push(processes.map(rss))
      const stats = yield* server.stats
      const status = yield* withDatabase(Status.status)
      const isDone = stats.lists === size && stats.least >= polls && status.sinks.length === 0
      return { ...stats, status, isDone }
    })
    const pause = Effect.sleep(isLarge ? "5 seconds" : "500 millis")
    const stats = yield* Effect.repeat(Effect.zipRight(pause, sample), { until: ({ isDone }) => isDone })
    const milliseconds = Date.now() - start
    const runnerCpu = processes.map(cpu)
    const postgresCpu = treeCpu(postmaster()) - before
    const result = {
      size,
      ...stats,
      seconds: milliseconds / 1_000,
      pollsPerSecond: Math.round((stats.polls / milliseconds) * 1_000),
      runnerCpu,
      postgresCpu,
      cpuPerPoll: runnerCpu.reduce((sum, cpu) => sum + cpu, postgresCpu) / stats.polls,
      serverCpu: cpu(server.pid),
      rss: memory.filter((_, index) => index % Math.ceil(memory.length / 8) === 0).concat(memory.slice(-1)),
      tables: yield* withDatabase(tables),
    }
    print(result)
    for (const runner of runners) yield* Effect.zipRight(runner.signal("SIGTERM"), runner.ended)
    return result
  }).pipe(Effect.scoped)

it.live(
  "two runners poll many subscriptions, at a cost that grows linearly",
  () =>
    Effect.gen(function* () {
      const results = yield* Effect.forEach(sizes, measure)
      const slopes = {
        // Some subscriptions may have extra polls by the time the last one has all of its polls.
        cpu: slope(results.map(({ cpuPerPoll, size }) => [size, cpuPerPoll * size])),
        bytes: slope(results.map(({ size, tables }) => [size, tables.reduce((sum, { mib }) => sum + mib, 0)])),
      }
      print(slopes)
      for (const { size, status } of results)
        expect(status).toMatchObject({ subscriptions: size, failing: 0, refused: 0, sinks: [] })
      if (isLarge) for (const slope of Object.values(slopes)) expect(slope).toBeLessThanOrEqual(1.2)
    }),
  7_200_000,
)

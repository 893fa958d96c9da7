/** The commands of a fleet with Postgres. */
import type { ChildProcess } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as PgClient from "@effect/sql-pg/PgClient"
import { afterAll, afterEach, describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Pooler from "@vigil/testing/Pooler"
import * as Postgres from "@vigil/testing/Postgres"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { vi } from "vitest"
import { connect } from "../../src/fleet/shared/Postgres.js"
import { folder } from "../support/folder.js"
import { type RunOptions, run } from "../support/run.js"
import { startServer } from "../support/server.js"
import { vigil } from "../support/subprocess.js"
import { makeWorkspace } from "../support/workspace.js"

let server: Promise<Postgres.Postgres> | undefined

afterAll(async () => (await server)?.stop())

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

let databases = 0

/** Creates an empty database, sets `VIGIL_DATABASE_URL` to its URL, and returns the URL. */
const makeDatabase = Effect.gen(function* () {
  const { url } = yield* Effect.promise(() => (server ??= Postgres.start()))
  databases += 1
  const name = `commands_${databases}`
  const create = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(name)}`)
  yield* Effect.provide(create, PgClient.layer({ url: Redacted.make(url) }))
  const databaseUrl = url.replace("/postgres?", `/${name}?`)
  vi.stubEnv("VIGIL_DATABASE_URL", databaseUrl)
  return databaseUrl
})

const json = (line: string, options?: RunOptions) =>
  Effect.map(run(`fleet ${line} -o json`, options), ({ data }): unknown => JSON.parse(data.join("\n")))

/** Starts a runner. `note` returns its next note. */
const startRunner = (...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const notes = yield* Queue.unbounded<string>()
    const fiber = yield* Effect.forkScoped(
      run(["fleet", "run", "--min-period", "1s", ...args], { onNote: (text) => Queue.offerUnsafe(notes, text) }),
    )
    return { fiber, note: Queue.take(notes) }
  })

describe("the subscriptions of a fleet", () => {
  it.live("are added, paused, resumed and removed", () =>
    Effect.gen(function* () {
      const url = yield* makeDatabase
      expect(yield* run("fleet status")).toMatchObject({ code: 6, notes: [expect.stringContaining("Start a runner")] })
      expect(yield* json("add a b a A")).toEqual([
        { subscription: "a", result: "added" },
        { subscription: "b", result: "added" },
      ])
      expect(yield* json("add --subscriptions-file -", { input: ["b # again", "c"] })).toEqual([
        { subscription: "b", result: "unchanged" },
        { subscription: "c", result: "added" },
      ])
      yield* run("fleet pause B")
      const paused = yield* run("fleet pause a b x -o csv")
      expect(paused).toMatchObject({ code: 1, data: ["subscription,result", "a,paused", "b,unchanged", "x,unknown"] })
      expect(paused.notes).toHaveLength(3)
      expect((yield* run("fleet resume b")).notes).toEqual(["1 subscription resumed"])
      expect(yield* json("status --subscriptions")).toMatchObject([
        { subscription: "a", isPaused: true, runner: null, polledAt: null, failures: 0, error: null },
        { subscription: "b", isPaused: false },
        { subscription: "c", isPaused: false },
      ])
      expect(yield* json("status")).toMatchObject({ subscriptions: 3, paused: 1, lastPollAt: null, runners: [] })
      const status = yield* run("fleet status")
      expect(status).toMatchObject({ code: 1, notes: [expect.stringContaining("no runner can work")] })
      expect(status.data.at(-1)).toBe("No runner is alive. Start one with vigil fleet run.")
      vi.unstubAllEnvs()
      expect((yield* run(["fleet", "resume", "a", "--database", url])).notes).toEqual(["1 subscription resumed"])
    }),
  )

  it.live("are given and shown by their names in the settings", () =>
    Effect.gen(function* () {
      yield* makeDatabase
      const { user, write } = yield* makeWorkspace
      write(user, JSON.stringify({ subscriptions: { Production: "id-1" } }))
      expect((yield* run("fleet add production")).data).toEqual(["SUBSCRIPTION\tRESULT", "Production\tadded"])
      expect(yield* json("status --subscriptions")).toMatchObject([{ subscription: "id-1" }])
      expect((yield* run("fleet status --subscriptions")).data[1]).toMatch(/^Production\t/)
    }),
  )

  it.live("are removed only after a confirmation", () =>
    Effect.gen(function* () {
      yield* makeDatabase
      yield* run("fleet add a b")
      expect(yield* json("remove a x --dry-run")).toEqual([
        { subscription: "a", result: "would-remove" },
        { subscription: "x", result: "unknown" },
      ])
      expect((yield* run("fleet remove a", { answers: ["no"] })).code).toBe(1)
      expect(yield* json("status")).toMatchObject({ subscriptions: 2 })
      expect(yield* json("remove a x", { answers: ["yes"] })).toEqual([
        { subscription: "a", result: "removed" },
        { subscription: "x", result: "unknown" },
      ])
      expect((yield* run("fleet remove x")).code).toBe(1)
    }),
  )
})

const routesFile = `
sinks:
  hook: { type: webhook, url: { env: HOOK_URL }, secret: { env: HOOK_SECRET } }
routes:
  - to: hook
`

const events = [{ name: "A", properties: { title: "A", status: "Active", lastUpdateTime: new Date().toISOString() } }]

/** Writes the routes file for this receiver, and returns the flags to watch a service with its events. */
const notifying = (hook: Faults.Server) =>
  Effect.gen(function* () {
    const routes = join(yield* folder, "routes.yaml")
    writeFileSync(routes, routesFile)
    vi.stubEnv("HOOK_URL", hook.origin)
    vi.stubEnv("HOOK_SECRET", `whsec_${Buffer.alloc(32, 7).toString("base64")}`)
    const service = yield* Faults.serve(() => Reply.page(events))
    return ["--base-url", service.origin, "--routes", routes]
  })

const decodeRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ polledAt: Schema.NullOr(Schema.String), dueAt: Schema.String })),
)

describe("fleet run", () => {
  it.live("polls the subscriptions of a file and notifies the sinks of its routes", () =>
    Effect.gen(function* () {
      yield* makeDatabase
      const file = join(yield* folder, "subscriptions.txt")
      writeFileSync(file, "x\ny\n")
      const key = yield* Deferred.make<unknown>()
      const hook = yield* Faults.serve(({ body }) => {
        Deferred.doneUnsafe(key, Effect.succeed(JSON.parse(body).data.key))
        return Reply.empty(204)
      })
      const args = [...(yield* notifying(hook)), "--subscriptions-file", file, "--name", "one"]
      const { fiber, note } = yield* startRunner(...args, "--rate-limit", "50/1s")
      expect(yield* note).toBe('The runner "one" has joined the fleet. Press Ctrl-C to stop.')
      expect(yield* Deferred.await(key)).toBe("a")
      expect(yield* json("status")).toMatchObject({ subscriptions: 2, failing: 0, runners: [{ name: "one" }] })
      expect((yield* run("fleet status")).data.join("\n")).toMatch(/^one\t2\t/m)
      yield* Fiber.interrupt(fiber)
      expect(yield* json("status")).toMatchObject({ runners: [] })
    }),
  )

  it.live("stores notifications that a sink rejects permanently, and resends or removes them", () =>
    Effect.gen(function* () {
      yield* makeDatabase
      yield* run("fleet add x")
      const hook = yield* Faults.serve([Reply.empty(400), Reply.empty(400), Reply.empty(204)])
      yield* startRunner(...(yield* notifying(hook)))
      const deadLetters = Effect.repeat(json("dead-letters"), { until: (all) => Array.isArray(all) && all.length > 0 })
      expect(yield* deadLetters).toMatchObject([
        { sink: "hook", trackingId: "A", state: "opened", error: expect.stringContaining("400") },
      ])
      expect((yield* run("fleet dead-letters --resend")).notes).toEqual([
        "1 dead letter will be sent again by a runner",
      ])
      yield* hook.awaitRequests(2)
      yield* deadLetters
      expect((yield* run("fleet dead-letters --remove")).code).toBe(2)
      expect((yield* run("fleet dead-letters --remove --yes")).notes).toContain("1 dead letter removed")
      expect(yield* json("dead-letters")).toEqual([])
    }),
  )

  it.live("says that it cannot work and why, in its notes, its probe and the status, and that it works again", () =>
    Effect.gen(function* () {
      const url = yield* makeDatabase
      const service = yield* Faults.serve(() => Reply.page([]))
      const { note } = yield* startRunner("--base-url", service.origin, "--name", "one", "--port", "0", "--lease", "2s")
      const probe = (yield* note).replace(/^Probes: /, "")
      yield* Effect.repeat(note, { until: (text) => text.includes("has joined the fleet") })
      const ready = Effect.promise(async () => (await fetch(probe)).status)
      const isReady = (status: number) => Effect.repeat(ready, { until: (found) => found === status })
      yield* isReady(200)
      const rename = (from: string, to: string) =>
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ALTER TABLE ${sql(from)} RENAME TO ${sql(to)}`).pipe(
          Effect.provide(PgClient.layer({ url: Redacted.make(url) })),
        )
      yield* rename("vigil_claims", "renamed")
      yield* isReady(503)
      const missing =
        "vigil: Could not claim polls: a table is missing (42P01). Start a runner, which creates the tables."
      yield* Effect.repeat(note, { until: (text) => text === missing })
      yield* rename("renamed", "vigil_claims")
      yield* isReady(200)
      yield* Effect.repeat(run("fleet status"), { until: ({ code }) => code === 0 })
      yield* Effect.repeat(note, { until: (text) => text === "vigil: This runner works again." })
    }),
  )

  it.live("polls a throttled subscription again when the service allows, and counts it", () =>
    Effect.gen(function* () {
      yield* makeDatabase
      const tooMany = Reply.empty(429, { "retry-after": "30" })
      const service = yield* Faults.serve(({ target }) => (target.includes("/busy/") ? tooMany : Reply.page([])))
      yield* run("fleet add busy free")
      yield* startRunner("--base-url", service.origin, "--concurrency", "1")
      yield* Effect.repeat(json("status"), { until: Schema.is(Schema.Struct({ throttled: Schema.Literal(1) })) })
      const [busy] = yield* Effect.flatMap(json("status --subscriptions"), decodeRows)
      expect(Date.parse(busy?.dueAt ?? "") - Date.parse(busy?.polledAt ?? "")).toBeGreaterThanOrEqual(30_000)
    }),
  )

  it.live("prepares no statements behind a pooler", () =>
    Effect.gen(function* () {
      const url = yield* makeDatabase
      const prepared = (url: string) =>
        Effect.gen(function* () {
          const context = yield* connect(Redacted.make(url))
          const sql = Context.get(context, SqlClient.SqlClient)
          return (yield* sql`SELECT FROM pg_prepared_statements`).length
        }).pipe(Effect.scoped)
      expect(yield* prepared(url)).toBe(1)
      expect(yield* prepared(yield* Pooler.start(url))).toBe(0)
    }),
  )

  it.live("goes on after a defect in a poll, and prints no text of the service", () =>
    Effect.gen(function* () {
      const url = yield* makeDatabase
      const secret = "secret-77ab"
      let isBroken = true
      const service = yield* Faults.serve(({ target }) =>
        Reply.page(isBroken && target.includes("/bad/") ? [{ name: `BREAK-toLowerCase ${secret}` }] : events),
      )
      yield* run("fleet add bad good")
      const untilStatus = (expected: RegExp) =>
        Effect.repeat(json("status --subscriptions"), { until: (all) => expected.test(JSON.stringify(all)) })
      const runtime = [
        process.execPath,
        "--import",
        fileURLToPath(new URL("../support/breakTexts.ts", import.meta.url)),
      ]
      let child: ChildProcess | undefined
      const running = vigil(["fleet", "run", "--min-period", "1s", "--max-period", "1s"], {
        env: { VIGIL_DATABASE_URL: url, HEALTH_BASE_URL: service.origin },
        runtime,
        onStart: (started) => (child = started),
      })
      const failed = yield* untilStatus(/"failures":[2-9]/)
      expect(failed).toMatchObject([
        { subscription: "bad", error: "The poll has a defect. The log of the runner has its cause." },
        { subscription: "good", failures: 0, error: null },
      ])
      isBroken = false
      yield* untilStatus(/"bad".*"failures":0.*"good".*"failures":0/)
      child?.kill("SIGTERM")
      const { code, stderr } = yield* Effect.promise(() => running)
      expect(code).toBe(0)
      expect(stderr).toMatch(/The poll of bad has a defect.*This is a bug in vigil, please report it: Error at /)
      expect(stderr + JSON.stringify(failed)).not.toContain(secret)
    }),
  )

  it.live("leaves the fleet on SIGTERM", () =>
    Effect.gen(function* () {
      const url = yield* makeDatabase
      const ended = yield* Effect.promise(() =>
        vigil(["fleet", "run", "--sandbox"], {
          env: { VIGIL_DATABASE_URL: url },
          onFirstOutput: (child) => child.kill("SIGTERM"),
        }),
      )
      expect(ended).toMatchObject({ code: 0, stdout: "" })
      expect(ended.stderr).toMatch(/^\S+Z The runner "\S+-\d+" has joined the fleet\. Press Ctrl-C to stop\.\n/)
      expect(ended.stderr).not.toContain("postgresql:")
      expect(yield* json("status")).toMatchObject({ runners: [] })
    }),
  )
})

describe("serve", () => {
  it.live("returns metrics of the fleet", () =>
    Effect.gen(function* () {
      yield* makeDatabase
      yield* run("fleet add a b")
      const { get } = yield* startServer("--sandbox")
      const { text } = yield* Effect.repeat(get("metrics"), { until: ({ text }) => text.includes("vigil_fleet") })
      expect(text).toContain("vigil_fleet_subscriptions 2\n")
    }),
  )
})

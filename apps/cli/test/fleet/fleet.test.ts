/** The commands of a fleet without a database: their flags, errors, notes and metrics. `fleet/` has tests with Postgres. */
import { describe, expect, it } from "@effect/vitest"
import type { Problem } from "@vigil/health-fleet/Fleet"
import { FleetError } from "@vigil/health-fleet/FleetError"
import type { Status } from "@vigil/health-fleet/Status"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, vi } from "vitest"
import * as Problems from "../../src/fleet/Problems.js"
import { Output } from "../../src/output/Output.js"
import { families } from "../../src/serve/FleetMetrics.js"
import * as MetricsText from "../../src/serve/MetricsText.js"
import { collectNotes } from "../support/notes.js"
import { run } from "../support/run.js"
import { startServer } from "../support/server.js"

afterEach(() => void vi.unstubAllEnvs())

const canary = "canary-51d0"

/** No server listens on this port. */
const unreachable = `postgresql://vigil:${canary}@127.0.0.1:1/vigil`

const noDatabase = "No database is configured: set VIGIL_DATABASE_URL, or pass --database URL."
const noUrl = "VIGIL_DATABASE_URL is not a Postgres URL: pass one such as postgresql://user@host:5432/database."

describe("a command of a fleet", () => {
  it.live.each<readonly [string, string | undefined, number, string]>([
    ["run", undefined, 2, noDatabase],
    ["status", `mysql://vigil:${canary}@host/vigil`, 2, noUrl],
    ["status", `postgresql://vigil:${canary}#x@host/vigil`, 2, noUrl],
    [`status --database postgresql://vigil:${canary}@host/vigil`, undefined, 2, "VIGIL_DATABASE_URL"],
    ["run", unreachable, 6, "Could not connect to the database: connect ECONNREFUSED 127.0.0.1:1. Check the database"],
    // The host has several addresses.
    ["status --database postgresql://vigil@localhost:1/vigil", undefined, 6, "connect ECONNREFUSED"],
    ["add", unreachable, 2, "No subscriptions are given: pass their IDs, or --subscriptions-file FILE."],
    ["pause x --subscriptions-file f", unreachable, 2, "--subscriptions-file are mutually exclusive"],
    ["resume a/b", unreachable, 2, `<subscription> "a/b" is invalid: pass an ID without slashes.`],
    ["run --min-period 1h", unreachable, 2, "--min-period is longer than --max-period: pass a shorter one."],
    ["run --rate-limit 300", unreachable, 2, `--rate-limit "300" is invalid: pass a number of requests and a time`],
    ["run --subscriptions-file -", unreachable, 2, "--subscriptions-file is read every minute"],
  ])("explains the mistake without the password: fleet %s, with the URL %s", ([line, url, code, words]) =>
    Effect.gen(function* () {
      vi.stubEnv("VIGIL_DATABASE_URL", url)
      const log = vi.spyOn(console, "error").mockImplementation(() => undefined)
      const ended = yield* run(`--log-level trace fleet ${line}`)
      expect(ended).toMatchObject({ code, data: [], notes: [expect.stringContaining(words)] })
      expect(JSON.stringify([ended.notes, log.mock.calls])).not.toContain(canary)
      log.mockRestore()
    }),
  )
})

const runner = {
  id: "1",
  name: "one",
  startedAt: new Date(0),
  seenAt: new Date(95_000),
  isAlive: true,
  workedAt: new Date(95_000),
  problem: null,
  subscriptions: 3,
  settings: "{}",
}

const healthy: Status = {
  runners: [runner],
  sinks: [],
  subscriptions: 300,
  paused: 0,
  failing: 0,
  throttled: 0,
  late: 0,
  lag: 0,
  lastPollAt: null,
  refused: 0,
  claimAge: 2,
}

const sink = {
  name: "chat",
  pending: 2,
  oldestAt: new Date(0),
  error: "The sink chat responded with 503.",
  deadLetters: 0,
  isServed: true,
}

describe("the notes of a runner", () => {
  it.effect("report each problem and its end, at most once a minute", () =>
    Effect.gen(function* () {
      const status = yield* Ref.make<Effect.Effect<Status, FleetError>>(Effect.succeed(healthy))
      const own = yield* Ref.make<ReadonlyArray<Problem>>([])
      const { output, take } = collectNotes()
      yield* Problems.follow(Effect.flatten(Ref.get(status)), Ref.get(own)).pipe(Effect.provideService(Output, output))
      const after = (next: Effect.Effect<Status, FleetError>, time: "30 seconds" | "1 minute") =>
        Effect.andThen(Ref.set(status, next), TestClock.adjust(time)).pipe(Effect.map(take))
      const failing = (count: number) => Effect.succeed({ ...healthy, failing: count })
      expect(yield* after(Effect.succeed(healthy), "30 seconds")).toEqual([])
      expect(yield* after(failing(3), "30 seconds")).toEqual([
        "vigil: 3 of 300 subscriptions failed at the last poll. Run vigil fleet status --subscriptions to see why.",
      ])
      expect(yield* after(failing(4), "30 seconds")).toEqual([])
      expect(yield* after(failing(4), "1 minute")).toEqual([expect.stringContaining("4 of 300")])
      const reason = new ConnectionError({ cause: new Error("Connection closed") })
      const cause = Redacted.make(new SqlError({ reason }))
      const down = Effect.fail(new FleetError({ attempt: "read the status of the fleet", cause }))
      expect(yield* after(down, "1 minute")).toEqual([expect.stringContaining("Connection closed")])
      expect(yield* after(Effect.never, "1 minute")).toEqual(["vigil: The database has not responded for 10 seconds."])
      const problem = (attempt: string) => ({ attempt, message: `Could not ${attempt}: read-only.` })
      yield* Ref.set(own, [problem("claim polls")])
      expect(yield* after(Effect.never, "1 minute")).toEqual(["vigil: Could not claim polls: read-only."])
      expect(yield* after(Effect.never, "1 minute")).toEqual([])
      yield* Ref.set(own, [])
      expect(yield* after(Effect.succeed({ ...healthy, sinks: [sink] }), "1 minute")).toEqual([
        "vigil: This runner works again.",
        "vigil: Could not notify chat: The sink chat responded with 503. 2 waiting.",
        "vigil: All polls succeed again.",
        "vigil: The database works again.",
      ])
      const refused = { ...sink, pending: 0, oldestAt: null, error: null, deadLetters: 1 }
      expect(yield* after(Effect.succeed({ ...healthy, sinks: [refused] }), "1 minute")).toEqual([
        "vigil: 1 dead letter for chat: see vigil fleet dead-letters.",
        "vigil: Notifications to chat are delivered again.",
      ])
      yield* Ref.set(own, [problem("report that the runner is alive"), problem("claim polls")])
      expect(yield* after(down, "1 minute")).toEqual(["vigil: Could not claim polls: read-only."])
      yield* Ref.set(own, [problem("report that the runner is alive")])
      expect(yield* after(down, "1 minute")).toEqual([])
      yield* Ref.set(own, [])
      expect(yield* after(Effect.succeed({ ...healthy, sinks: [refused] }), "30 seconds")).toEqual([
        "vigil: This runner works again.",
      ])
    }),
  )

  it("report problems of the runners, their sinks and their subscriptions", () => {
    const texts = (status: Partial<Status>) => Problems.fromStatus({ ...healthy, ...status }).map(({ text }) => text)
    expect(texts({ runners: [runner, { ...runner, isAlive: false, settings: "other" }] })).toEqual([])
    expect(texts({ runners: [] })).toEqual(["No runner is alive. Start one with vigil fleet run."])
    expect(texts({ runners: [{ ...runner, isAlive: false }] })).toEqual([
      "No runner is alive: one last reported at 1970-01-01 00:01:35 UTC. Their logs have the cause.",
    ])
    const blocked = { ...runner, problem: "Could not claim polls: the user lacks a permission (42501)." }
    expect(texts({ runners: [blocked, { ...blocked, name: "two" }, { ...runner, name: "three" }] })).toEqual([
      "one, two: Could not claim polls: the user lacks a permission (42501).",
    ])
    expect(texts({ lag: 61 })).toEqual([expect.stringContaining("Polls are late by more than a minute.")])
    expect(texts({ runners: [runner, { ...runner, name: "two", settings: "other" }] })).toEqual([
      "The settings of one, two differ. Start all with the same --base-url, --routes, --filter, --rate-limit and HEALTH_API_VERSION.",
    ])
    const throttling =
      "The service throttles 20 of 300 subscriptions (429), which are polled again when it allows. If it continues, raise --min-period and --max-period, or lower --rate-limit."
    expect(texts({ failing: 20, throttled: 20 })).toEqual([throttling])
    expect(texts({ failing: 21, throttled: 20, lag: 61 })).toEqual([
      "Polls are late by more than a minute. The service throttles some.",
      throttling,
      expect.stringContaining("1 of 300 subscriptions failed at the last poll."),
    ])
    expect(texts({ subscriptions: 0 })).toEqual([
      "The fleet has no subscriptions. Add some with vigil fleet add, or pass --subscriptions-file to vigil fleet run.",
    ])
    expect(texts({ sinks: [{ ...sink, isServed: false }] })).toEqual([
      "No runner has the sink chat. 2 notifications waiting. Add the sink to the routes, or delete them: DELETE FROM vigil_outbox WHERE sink = 'chat'.",
    ])
  })
})

describe("a fleet is broken", () => {
  it("if no runner can work, or polls are late by more than a minute", () => {
    const [blocked, lost] = [
      { ...runner, problem: "Could not claim polls." },
      { ...runner, isAlive: false },
    ]
    expect(Problems.isBroken({ ...healthy, runners: [blocked, lost, runner], lag: 60 })).toBe(false)
    for (const status of [{ runners: [] }, { runners: [blocked, lost] }, { lag: 61 }])
      expect(Problems.isBroken({ ...healthy, ...status })).toBe(true)
  })
})

describe("the metrics of a fleet", () => {
  it("contain the values of the status", () => {
    const runners = [runner, { ...runner, id: "2", isAlive: false }]
    const status = { ...healthy, runners, sinks: [{ ...sink, oldestAt: new Date(40_000), deadLetters: 1 }], refused: 5 }
    const text = MetricsText.render(families(status, 100_000))
    for (const sample of [
      "runners 1",
      "claim_age_seconds 2",
      'dead_letters{sink="chat"} 1',
      "oldest_undelivered_seconds 60",
      "refused 5",
    ])
      expect(text).toContain(`\nvigil_fleet_${sample}\n`)
  })

  it.live("are missing while the database is unreachable, and the server continues", () =>
    Effect.gen(function* () {
      vi.stubEnv("VIGIL_DATABASE_URL", unreachable)
      const service = yield* Faults.serve(() => Reply.page([]))
      const server = yield* startServer("-s", "x", "--base-url", service.origin)
      yield* server.idle
      expect(yield* server.note).toMatch(/^vigil: \/metrics has no metrics of the fleet. Could not connect/)
      const { text } = yield* server.get("metrics")
      expect(text).toContain("vigil_polls_total")
      expect(text).not.toContain("vigil_fleet")
    }),
  )
})

/** The questions of agents: each takes one call of the official client, and its answer is that of the sandbox's world. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import { Sandbox, type World } from "@vigil/sandbox"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"
import { folder } from "../support/folder.js"
import { startServer } from "../support/server.js"
import { bin } from "../support/subprocess.js"

const day = 24 * 3_600_000

/** A sandbox, and settings with the names of its subscriptions. */
const start = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make({ changeEvery: undefined })
  const subscriptions = Object.fromEntries(sandbox.world.subscriptions.map(({ id, name }) => [name, id]))
  const config = yield* folder
  mkdirSync(join(config, "vigil"))
  writeFileSync(join(config, "vigil", "config.json"), JSON.stringify({ subscriptions }), { mode: 0o600 })
  const env = {
    XDG_CONFIG_HOME: config,
    HEALTH_ACCESS_TOKEN: Redacted.value(sandbox.accessToken),
    VIGIL_NO_KEYCHAIN: "1",
  }
  return { sandbox, env, flags: ["-s", "Production", "-s", "staging", "--base-url", sandbox.baseUrl] }
})

type Started = Effect.Success<typeof start>

const transports = {
  "vigil mcp": ({ env, flags }: Started) =>
    Effect.sync(() => new StdioClientTransport({ command: process.execPath, args: [bin, "mcp", ...flags], env })),
  "vigil serve --mcp": ({ env, flags }: Started) =>
    Effect.gen(function* () {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
      const { idle, url } = yield* startServer("--mcp", ...flags)
      yield* idle
      return new StreamableHTTPClientTransport(new URL("mcp", url))
    }),
}

const properties = ({ event }: World.WorldEvent) => event.properties ?? {}

const millis = (time: unknown): number =>
  typeof time === "string" && Timestamp.isTimestamp(time)
    ? Option.match(Timestamp.instant(time), { onNone: () => Number.NaN, onSome: DateTime.toEpochMillis })
    : Number.NaN

const isActive = (one: World.WorldEvent) => properties(one).status === "Active"
const isUpdated = (one: World.WorldEvent, since: number) => millis(properties(one).lastUpdateTime) >= since
const ids = (events: ReadonlyArray<World.WorldEvent>) => events.map(({ event }) => event.name)

/** The parts of answers that the questions are about. */
interface Answer {
  readonly asOf: string
  readonly status: string
  readonly invalidEntries: number
  readonly subscriptions: {
    readonly covered: ReadonlyArray<{ readonly name: string }>
    readonly failed: ReadonlyArray<{ readonly name: string }>
  }
  readonly total: number
  readonly remaining: number
  readonly entries: ReadonlyArray<{ readonly trackingId: string; readonly name: string; readonly active?: number }>
  readonly quotedHints?: ReadonlyArray<string>
  readonly event: { readonly quotedRegions: ReadonlyArray<string> }
  readonly [name: string]: unknown
}

/** The events that a call can read, and the time of its answer. */
interface Truth {
  readonly events: ReadonlyArray<World.WorldEvent>
  readonly now: number
}

const expectList = ({ entries, remaining, total }: Answer, expected: ReadonlyArray<World.WorldEvent>) => {
  expect(total).toBe(expected.length)
  expect(total).toBeGreaterThan(0)
  expect(entries.length + remaining).toBe(total)
  expect(ids(expected)).toEqual(expect.arrayContaining(entries.map(({ trackingId }) => trackingId)))
}

type Question = readonly [
  question: string,
  tool: string,
  args: (truth: Truth) => Record<string, unknown>,
  expectTruth: (answer: Answer, truth: Truth) => void,
]

const incident = ({ events }: Truth) =>
  events.find((one) => isActive(one) && properties(one).eventType === "ServiceIssue")

const questions: ReadonlyArray<Question> = [
  [
    "What is wrong now?",
    "health_summary",
    () => ({}),
    (answer, { events }) => {
      const active = events.filter(isActive)
      const issues = active.filter((one) => /^(?:ServiceIssue|EmergingIssues)$/.test(properties(one).eventType ?? ""))
      expect(answer).toMatchObject({
        activeIssues: issues.length,
        activeNotices: active.length - issues.length,
        resolved: events.length - active.length,
      })
      const most = answer["mostImportant"] as Answer["entries"]
      expect(ids(issues)).toEqual(expect.arrayContaining(most.map(({ trackingId }) => trackingId)))
    },
  ],
  [
    "What changed since yesterday?",
    "health_changes",
    () => ({}),
    (answer, { events, now }) =>
      expectList(
        answer,
        events.filter((one) => isUpdated(one, now - day)),
      ),
  ],
  [
    "Which regions does this event affect?",
    "health_event_details",
    (truth) => ({ trackingId: incident(truth)?.event.name }),
    ({ event }, truth) => {
      const impact = incident(truth)?.event.properties?.impact ?? []
      const regions = impact.flatMap(({ impactedRegions }) =>
        (impactedRegions ?? []).map(({ impactedRegion }) => impactedRegion),
      )
      expect(event.quotedRegions.toSorted()).toEqual([...new Set(regions)].toSorted())
    },
  ],
  [
    "What is planned for the next week?",
    "health_events",
    () => ({ type: ["PlannedMaintenance"], from: "0d", to: "7d" }),
    (answer, { events, now }) => {
      const isIn = (time: unknown) => millis(time) >= now && millis(time) < now + 7 * day
      expectList(
        answer,
        events.filter((one) => {
          const { eventType, impactMitigationTime, impactStartTime } = properties(one)
          return eventType === "PlannedMaintenance" && (isIn(impactStartTime) || isIn(impactMitigationTime))
        }),
      )
    },
  ],
  [
    "Which subscriptions are there?",
    "health_subscriptions",
    () => ({}),
    ({ entries }, { events }) => {
      expect(entries.map(({ name }) => name)).toEqual(["Production", "Staging"])
      expect(entries[0]?.active).toBe(
        events.filter((one) => isActive(one) && one.subscriptions.some((id) => id.startsWith("a"))).length,
      )
    },
  ],
  [
    "Is anything wrong in a region with a misspelled name?",
    "health_events",
    () => ({ status: ["Active"], region: ["westeurop"] }),
    ({ entries, quotedHints }) => {
      expect(entries).toEqual([])
      expect(quotedHints).toEqual([expect.stringContaining('Did you mean "West Europe"?')])
    },
  ],
]

/** Asks all questions, of the world as these subscriptions show it. */
const ask = Effect.fnUntraced(function* (
  client: Client,
  world: World.World,
  covered: ReadonlyArray<string>,
  head: Pick<Answer, "invalidEntries" | "status">,
) {
  const readable = world.events.filter(
    (one) => one.subscriptions.some((id) => covered.includes(id)) && typeof properties(one).status === "string",
  )
  for (const [question, tool, args, expectTruth] of questions) {
    const now = Date.now()
    const events = readable.filter((one) => isUpdated(one, now - 90 * day))
    const { structuredContent } = yield* Effect.promise(() =>
      client.callTool({ name: tool, arguments: args({ events, now }) }),
    )
    const answer = structuredContent as Answer
    expect([question, answer]).toEqual([
      question,
      expect.objectContaining(tool === "health_event_details" ? { status: head.status } : head),
    ])
    expect(answer.subscriptions.covered).toHaveLength(covered.length)
    expect(answer.subscriptions.covered[0]?.name).toBe("Production")
    expect(answer.subscriptions.failed.map(({ name }) => name)).toEqual(covered.length === 2 ? [] : ["Staging"])
    expectTruth(answer, { events, now: Date.parse(answer.asOf) })
  }
})

it.live.each(Object.keys(transports) as ReadonlyArray<keyof typeof transports>)(
  "%s answers each question by one call, also if one of two subscriptions fails and entries are unreadable",
  (name) =>
    Effect.gen(function* () {
      const started = yield* start
      const { sandbox } = started
      const [production, staging] = sandbox.world.subscriptions
      const transport = yield* transports[name](started)
      const client = new Client({ name: "test", version: "1.0.0" })
      // The type of `sessionId` lacks `undefined`.
      yield* Effect.promise(() => client.connect(transport as Parameters<typeof client.connect>[0]))
      expect(client.getInstructions()).toContain("health_summary")
      yield* ask(client, sandbox.world, [production.id, staging.id], { status: "complete", invalidEntries: 0 })

      yield* sandbox.refuse(({ target }) => (target.includes(staging.id) ? 403 : undefined))
      let left = 3
      yield* sandbox.change((world) => ({
        ...world,
        events: world.events.map((one) =>
          one.subscriptions.includes(production.id) && !isActive(one) && left-- > 0
            ? // Not a text, as the schema requires.
              { ...one, event: { ...one.event, properties: { ...one.event.properties, status: 7 as never } } }
            : one,
        ),
      }))
      yield* ask(client, yield* sandbox.current, [production.id], { status: "partial", invalidEntries: 3 })
      yield* Effect.promise(() => client.close())
    }),
)

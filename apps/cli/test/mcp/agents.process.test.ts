/** The questions of agents: the official client gets what the service responds to plain requests. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type { EmergingIssue } from "@vigil/health-schema/EmergingIssue"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import { Sandbox, type World } from "@vigil/sandbox"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"
import { folder } from "../support/folder.js"
import { startServer } from "../support/server.js"
import { bin } from "../support/subprocess.js"

const day = 24 * 3_600_000

/** A sandbox, and settings with the names of some of its subscriptions. */
const start = Effect.fnUntraced(function* (count: number) {
  const sandbox = yield* Sandbox.make({ changeEvery: undefined, subscriptions: Math.max(2, count) })
  const configured = sandbox.world.subscriptions.slice(0, count)
  const subscriptions = Object.fromEntries(configured.map(({ id, name }) => [name, id]))
  const config = yield* folder
  mkdirSync(join(config, "vigil"))
  writeFileSync(join(config, "vigil", "config.json"), JSON.stringify({ subscriptions }), { mode: 0o600 })
  const env = {
    XDG_CONFIG_HOME: config,
    HEALTH_ACCESS_TOKEN: Redacted.value(sandbox.accessToken),
    VIGIL_NO_KEYCHAIN: "1",
  }
  const flags = configured.flatMap(({ name }) => ["-s", name.toLowerCase()])
  return { sandbox, configured, env, flags: [...flags, "--base-url", sandbox.baseUrl] }
})

type Started = Effect.Success<ReturnType<typeof start>>

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

/** An event, and the names of the subscriptions that list it: empty for the tenant and everyone. */
interface Listed {
  readonly event: World.WorldEvent["event"]
  readonly subscriptions: ReadonlyArray<string>
}

interface Page<A> {
  readonly value: ReadonlyArray<A>
  readonly nextLink?: string
}

/** The emerging issues, as events. Banners repeat the titles of others. */
const emergingOf = ([issues]: ReadonlyArray<EmergingIssue>, titles: ReadonlyArray<string>) => {
  const { statusActiveEvents = [], statusBanners = [] } = issues?.properties ?? {}
  const banners = (statusBanners ?? []).filter(({ title }) => !titles.includes(title ?? ""))
  return [...(statusActiveEvents ?? []), ...banners.map((banner) => ({ ...banner, trackingId: "", impacts: [] }))].map(
    ({ impacts, lastModifiedTime, title, trackingId }) => ({
      name: trackingId ?? "",
      properties: {
        eventType: "EmergingIssues" as const,
        status: "Active" as const,
        title,
        lastUpdateTime: lastModifiedTime,
        impact: (impacts ?? []).map(({ name, regions }) => ({
          impactedService: name,
          impactedRegions: (regions ?? []).map((region) => ({ impactedRegion: region.name })),
        })),
      },
    }),
  )
}

/** Reads the lists of subscriptions, of the tenant and of everyone to their ends. Entries without a status as a text are not events. */
const readLists = ({ accessToken, baseUrl }: Sandbox.Service, subscriptions: ReadonlyArray<World.Subscription>) =>
  Effect.promise(async () => {
    const headers = { authorization: `Bearer ${Redacted.value(accessToken)}` }
    const start = new Date(Date.now() - 90 * day)
    const time = [start.getUTCMonth() + 1, start.getUTCDate(), start.getUTCFullYear()].join("/")
    const read = async <A>(url: string): Promise<ReadonlyArray<A>> => {
      const { nextLink, value } = (await (await fetch(url, { headers })).json()) as Page<A>
      return [...value, ...(nextLink ? await read<A>(nextLink) : [])]
    }
    const version = `api-version=${ApiVersion.defaultVersion}`
    const paths = [...subscriptions.map(({ id, name }) => [`/subscriptions/${id}`, name] as const), ["", ""] as const]
    const lists = paths.map(async ([path, name]) => {
      const url = `${baseUrl}${path}/providers/Vendor.ResourceHealth/events?${version}&queryStartTime=${time}`
      const list = await read<World.WorldEvent["event"]>(url)
      return list.flatMap((event) => (typeof event.properties?.status === "string" ? [{ event, name }] : []))
    })
    const events = (await Promise.all(lists)).flat()
    const issues = await read<EmergingIssue>(`${baseUrl}/providers/Vendor.ResourceHealth/emergingIssues?${version}`)
    const emerging = emergingOf(
      issues,
      events.map(({ event }) => event.properties?.title ?? ""),
    ).map((event) => ({ event: event as World.WorldEvent["event"], name: "" }))
    const all = Object.values(
      Arr.groupBy([...events, ...emerging], ({ event }) => event.name || (event.properties?.title ?? "")),
    )
    return all.flatMap((copies): ReadonlyArray<Listed> =>
      copies === undefined ? [] : [{ event: copies[0].event, subscriptions: copies.map(({ name }) => name) }],
    )
  })

const properties = ({ event }: Pick<Listed, "event">) => event.properties ?? {}

const millis = (time: unknown): number =>
  typeof time === "string" && Timestamp.isTimestamp(time)
    ? Option.match(Timestamp.instant(time), { onNone: () => Number.NaN, onSome: DateTime.toEpochMillis })
    : Number.NaN

const isActive = (one: Pick<Listed, "event">) => properties(one).status === "Active"
const isUpdated = (one: Listed, since: number) => millis(properties(one).lastUpdateTime) >= since
const ids = (events: ReadonlyArray<Listed>) => events.map(({ event }) => event.name)

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
  readonly events: ReadonlyArray<Listed>
  readonly now: number
}

const expectList = ({ entries, remaining, total }: Answer, expected: ReadonlyArray<Listed>) => {
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
    // Any ID, if no list can be read.
    (truth) => ({ trackingId: incident(truth)?.event.name ?? "AB12-CD3" }),
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
    ({ entries, subscriptions }, { events }) => {
      const covered = subscriptions.covered.map(({ name }) => name)
      const active = (name: string) => events.filter((one) => isActive(one) && one.subscriptions.includes(name)).length
      expect(entries.filter(({ name }) => covered.includes(name))).toEqual(
        covered.map((name) => expect.objectContaining({ name, active: active(name) })),
      )
      expect(entries).toHaveLength(covered.length + subscriptions.failed.length)
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

/** Asks all questions. `failing`: the subscription that the service refuses. */
const ask = Effect.fnUntraced(function* (
  client: Client,
  { configured, sandbox }: Started,
  failing: World.Subscription | undefined,
  head: Pick<Answer, "invalidEntries" | "status">,
) {
  const covered = configured.filter((one) => one !== failing)
  const listed = yield* readLists(sandbox, covered)
  const call = (tool: string, args: Record<string, unknown>) =>
    Effect.map(
      Effect.promise(() => client.callTool({ name: tool, arguments: args })),
      ({ structuredContent }) => structuredContent as Answer,
    )
  for (const [question, tool, args, expectTruth] of questions) {
    const now = Date.now()
    const events = listed.filter((one) => isUpdated(one, now - 90 * day))
    const answer = yield* call(tool, args({ events, now }))
    expect([question, answer]).toEqual([
      question,
      expect.objectContaining(tool === "health_event_details" ? { status: head.status } : head),
    ])
    expect(answer.subscriptions.covered.map(({ name }) => name)).toEqual(covered.map(({ name }) => name))
    expect(answer.subscriptions.failed.map(({ name }) => name)).toEqual(failing === undefined ? [] : [failing.name])
    if (covered.length > 0) expectTruth(answer, { events, now: Date.parse(answer.asOf) })
    else expect(answer).not.toHaveProperty("total")
  }

  const delivered: Array<string> = []
  let answer = yield* call("health_changes", { since: "3d" })
  const changed = listed.filter((one) => isUpdated(one, Date.parse(answer.asOf) - 3 * day))
  delivered.push(...answer.entries.map(({ trackingId }) => trackingId))
  while (answer.remaining > 0) {
    answer = yield* call("health_changes", { cursor: answer["cursor"] })
    delivered.push(...answer.entries.map(({ trackingId }) => trackingId))
  }
  expect(delivered.toSorted()).toEqual(ids(changed).toSorted())
})

it.live.each([
  ["vigil mcp", 1],
  ["vigil mcp", 3],
  ["vigil serve --mcp", 2],
] as const)(
  "%s answers each question, with %i of the subscriptions, also if one fails and entries are unreadable",
  ([name, count]) =>
    Effect.gen(function* () {
      const started = yield* start(count)
      const { configured, sandbox } = started
      const [production] = sandbox.world.subscriptions
      const failing = configured.at(-1)
      const transport = yield* transports[name](started)
      const client = new Client({ name: "test", version: "1.0.0" })
      // The type of `sessionId` lacks `undefined`.
      yield* Effect.promise(() => client.connect(transport as Parameters<typeof client.connect>[0]))
      expect(client.getInstructions()).toContain("health_summary")
      yield* ask(client, started, undefined, { status: "complete", invalidEntries: 0 })

      yield* sandbox.refuse(({ target }) => (target.includes(failing?.id ?? "") ? 403 : undefined))
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
      yield* ask(
        client,
        started,
        failing,
        count === 1 ? { status: "unknown", invalidEntries: 0 } : { status: "partial", invalidEntries: 3 },
      )
      yield* Effect.promise(() => client.close())
    }),
)

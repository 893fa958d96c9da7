import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"

type WorldEvents = Sandbox.Service["world"]["events"]

/** Runs an example with a sandbox. Returns what it printed, and the events of its subscription. */
const run = (example: (events: WorldEvents) => Promise<unknown>) =>
  Effect.gen(function* () {
    const { accessToken, baseUrl, world } = yield* Sandbox.make()
    const [{ id }] = world.subscriptions
    vi.stubEnv("HEALTH_BASE_URL", baseUrl)
    vi.stubEnv("HEALTH_ACCESS_TOKEN", Redacted.value(accessToken))
    vi.stubEnv("HEALTH_SUBSCRIPTION", id)
    const mute = (name: "log" | "warn") => {
      const spy = vi.spyOn(console, name).mockClear()
      return spy.mockImplementation(() => undefined)
    }
    const [log, warn] = [mute("log"), mute("warn")]
    const events = world.events.filter((event) => event.subscriptions.includes(id))
    yield* Effect.promise(() => example(events))
    return { printed: log.mock.calls, warned: warn.mock.calls, events: events.map(({ event }) => event) }
  })

it.live("quick-start prints the titles of the events of a subscription", () =>
  Effect.gen(function* () {
    const { events, printed } = yield* run(() => import("../examples/quick-start.js"))
    expect(printed).toEqual(events.slice(0, printed.length).map(({ properties }) => [properties?.title]))
    expect(printed.length).toBeGreaterThan(50)
  }),
)

it.live("levels prints the severity of active service issues", () =>
  Effect.gen(function* () {
    const { events, printed } = yield* run(() => import("../examples/levels.js"))
    const levels = new Map(events.map(({ name, properties }) => [name, properties?.eventLevel]))
    expect(printed.length).toBeGreaterThan(1)
    for (const [level, name] of printed) expect(level).toBe(levels.get(String(name)))
  }),
)

it.live("queries, narrow, top-five and invalid-events print selected events", () =>
  Effect.gen(function* () {
    const queries = yield* run(() => import("../examples/queries.js"))
    expect(queries.printed.length).toBeGreaterThan(3)
    for (const [name] of queries.printed) expect(queries.events.map((event) => event.name)).toContain(name)

    const narrow = yield* run(() => import("../examples/narrow.js"))
    const names = new Set(narrow.printed.map(([name]) => name))
    expect(names.size).toBeGreaterThan(0)
    for (const { properties } of narrow.events.filter(({ name }) => names.has(name))) {
      const keyVault = properties?.impact?.find(({ impactedService }) => impactedService === "Key Vault")
      expect(keyVault?.impactedRegions?.map(({ impactedRegion }) => impactedRegion)).toContain("West Europe")
    }

    const { printed } = yield* run(() => import("../examples/top-five.js"))
    const priorities = printed.map(([priority]) => Number(priority))
    expect(priorities).toHaveLength(5)
    expect(priorities).toEqual(priorities.toSorted((a, b) => a - b))

    const invalid = yield* run(() => import("../examples/invalid-events.js"))
    expect(invalid.printed).toEqual([[expect.stringMatching(/^\d{3} events$/)]])
  }),
)

it.live("resume reads two pages, then the next two", () =>
  Effect.gen(function* () {
    const { printed } = yield* run(() => import("../examples/resume.js"))
    expect(printed).toEqual([1, 2, 3, 4].map((page) => [`page ${page}: 50 events, ${page * 50} so far`]))
  }),
)

it.live("sweep prints each outcome and the number of events", () =>
  Effect.gen(function* () {
    const { printed, warned } = yield* run(() => import("../examples/sweep.js"))
    expect([...warned, ...printed]).toEqual([
      [expect.stringContaining("SubscriptionNotFound")],
      [expect.stringMatching(/^\d+ events of a0000001/)],
      [expect.stringMatching(/^\d+ events in all$/)],
    ])
  }),
)

it.live("watch prints appeared events, and stores what it printed", () =>
  Effect.gen(function* () {
    const before = process.cwd()
    yield* Effect.addFinalizer(() => Effect.sync(() => process.chdir(before)))
    process.chdir(mkdtempSync(join(tmpdir(), "watch-")))
    const { events, printed } = yield* run(() => {
      // The watch does not end.
      void import("../examples/watch.js")
      const isDone = () => expect(readFileSync("watch.json", "utf8")).toMatch(/"isNew":false.*"pending":\[\]/s)
      return vi.waitFor(isDone, 10_000)
    })
    const first = events.slice(0, 10).map(({ name, properties }) => ["Appeared", name, properties?.title])
    expect(printed.slice(0, 10)).toEqual(first)
  }),
)

it.live("unit-test prints titles and the reason of a failure", () =>
  Effect.gen(function* () {
    const { printed } = yield* run(() => import("../examples/unit-test.js"))
    expect(printed).toEqual([["Storage is slow"], ["DNS was down"], ["No access."]])
  }),
)

it.live("impacted-resources prints the resources of an event", () =>
  Effect.gen(function* () {
    let resource: unknown
    const { printed } = yield* run((events) => {
      const impacted = events.find(
        ({ event, resources }) => resources.length > 0 && event.properties?.eventType !== "SecurityAdvisory",
      )
      vi.stubEnv("TRACKING_ID", impacted?.event.name ?? "")
      resource = impacted?.resources[0]?.split("/").at(-1)
      return import("../examples/impacted-resources.js")
    })
    expect(printed[0]).toEqual([resource, expect.any(String)])
  }),
)

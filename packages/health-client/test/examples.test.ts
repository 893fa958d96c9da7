import { expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"

/** Starts a sandbox, sets the environment for it, and records what is printed. */
const prepare = Effect.gen(function* () {
  const { accessToken, baseUrl, world } = yield* Sandbox.make()
  const [{ id }] = world.subscriptions
  vi.stubEnv("HEALTH_BASE_URL", baseUrl)
  vi.stubEnv("HEALTH_ACCESS_TOKEN", Redacted.value(accessToken))
  vi.stubEnv("HEALTH_SUBSCRIPTION", id)
  const log = vi
    .spyOn(console, "log")
    .mockClear()
    .mockImplementation(() => undefined)
  return { log, events: world.events.filter((event) => event.subscriptions.includes(id)) }
})

it.live("quick-start prints the titles of the events of a subscription", () =>
  Effect.gen(function* () {
    const { events, log } = yield* prepare
    yield* Effect.promise(() => import("../examples/quick-start.js"))
    expect(log.mock.calls.length).toBeGreaterThan(50)
    expect(log.mock.calls[0]?.[0]).toBe(events[0]?.event.properties?.title)
  }),
)

it.live("invalid-events prints the count", () =>
  Effect.gen(function* () {
    const { log } = yield* prepare
    yield* Effect.promise(() => import("../examples/invalid-events.js"))
    expect(log).toHaveBeenCalledWith(expect.stringMatching(/^\d{3} events$/))
  }),
)

it.live("levels prints the severity of active service issues", () =>
  Effect.gen(function* () {
    const { events, log } = yield* prepare
    yield* Effect.promise(() => import("../examples/levels.js"))
    const levels = new Map(events.map(({ event }) => [event.name, event.properties?.eventLevel]))
    expect(log.mock.calls.length).toBeGreaterThan(1)
    for (const [level, name] of log.mock.calls) expect(String(level)).toBe(levels.get(String(name)))
  }),
)

it.live("queries prints the filtered events with details", () =>
  Effect.gen(function* () {
    const { events, log } = yield* prepare
    yield* Effect.promise(() => import("../examples/queries.js"))
    const names = events.map(({ event }) => event.name)
    expect(log.mock.calls.length).toBeGreaterThan(3)
    for (const [name] of log.mock.calls) expect(names).toContain(name)
  }),
)

it.live("top-five prints the five events with the highest priority", () =>
  Effect.gen(function* () {
    const { log } = yield* prepare
    yield* Effect.promise(() => import("../examples/top-five.js"))
    const priorities = log.mock.calls.map(([priority]) => Number(priority))
    expect(priorities).toHaveLength(5)
    expect(priorities[0]).toBe(0)
    expect(priorities).toEqual(priorities.toSorted((a, b) => a - b))
  }),
)

it.live("narrow prints only events whose impact has both the service and the region", () =>
  Effect.gen(function* () {
    const { events, log } = yield* prepare
    yield* Effect.promise(() => import("../examples/narrow.js"))
    const names = new Set(log.mock.calls.map(([name]) => name))
    const impacts = events
      .filter(({ event }) => names.has(event.name))
      .map(({ event }) =>
        event.properties?.impact
          ?.find(({ impactedService }) => impactedService === "Key Vault")
          ?.impactedRegions?.map(({ impactedRegion }) => impactedRegion),
      )
    expect(impacts.length).toBeGreaterThan(0)
    for (const regions of impacts) expect(regions).toContain("West Europe")
  }),
)

it.live("resume reads two pages, then the next two", () =>
  Effect.gen(function* () {
    const { log } = yield* prepare
    yield* Effect.promise(() => import("../examples/resume.js"))
    expect(log.mock.calls).toEqual([1, 2, 3, 4].map((page) => [`page ${page}: 50 events, ${page * 50} so far`]))
  }),
)

it.live("sweep prints each outcome and the number of events", () =>
  Effect.gen(function* () {
    const { log } = yield* prepare
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined)
    yield* Effect.promise(() => import("../examples/sweep.js"))
    expect(warn.mock.calls).toEqual([[expect.stringContaining("SubscriptionNotFound")]])
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^\d+ events of a0000001/)],
      [expect.stringMatching(/^\d+ events in all$/)],
    ])
  }),
)

it.live("watch prints appeared events", () =>
  Effect.gen(function* () {
    const { events, log } = yield* prepare
    yield* Effect.promise(() => import("../examples/watch.js"))
    expect(log.mock.calls).toEqual(
      events.slice(0, 10).map(({ event }) => ["Appeared", event.name, event.properties?.title]),
    )
  }),
)

it("unit-test prints titles and the reason of a failure", async () => {
  const log = vi
    .spyOn(console, "log")
    .mockClear()
    .mockImplementation(() => undefined)
  await import("../examples/unit-test.js")
  expect(log.mock.calls).toEqual([["Storage is slow"], ["DNS was down"], ["No access."]])
})

it.live("impacted-resources prints the resources of an event", () =>
  Effect.gen(function* () {
    const { events, log } = yield* prepare
    const impacted = events.find(
      ({ event, resources }) => resources.length > 0 && event.properties?.eventType !== "SecurityAdvisory",
    )
    vi.stubEnv("TRACKING_ID", impacted?.event.name ?? "")
    yield* Effect.promise(() => import("../examples/impacted-resources.js"))
    expect(log).toHaveBeenCalledWith(impacted?.resources[0]?.split("/").at(-1), expect.any(String))
  }),
)

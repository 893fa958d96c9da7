/** What `health_resources` says of the states of resources. */
import { describe, expect, it } from "@effect/vitest"
import * as AvailabilityClient from "@vigil/health-client/AvailabilityClient"
import type { TestData } from "@vigil/health-client/AvailabilityTestData"
import type { TestData as HealthTestData } from "@vigil/health-client/TestData"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import { connect, event, quiet } from "./connect.js"

const idOf = (subscription: string, name: string, group = "shop") =>
  `/subscriptions/${subscription}/resourceGroups/${group}/providers/Vendor.Sql/servers/${name}`

/** When all statuses were reported: now, so that they are not old. */
const reportedTime = new Date().toISOString()

const status = (id: string, availabilityState?: string, occuredTime = "2026-03-10T12:00:00Z") => ({
  id: `${id}/providers/Vendor.ResourceHealth/availabilityStatuses/current`,
  properties: {
    availabilityState,
    occuredTime,
    reportedTime,
    summary: "Is it so?",
    reasonType: "Unplanned",
  },
})

const withStatuses = (
  bySubscription: NonNullable<TestData["statuses"]>,
  { budget, ...events }: HealthTestData & { readonly budget?: number } = {},
) =>
  connect(
    Layer.merge(
      HealthClient.layerTest({
        ...quiet,
        ...events,
        subscriptions: { ...Record.map(bySubscription, () => []), ...events.subscriptions },
      }),
      AvailabilityClient.layerTest({
        statuses: Object.fromEntries(
          Object.entries(bySubscription).map(([id, list]) => [`/subscriptions/${id}`, list]),
        ),
      }),
    ),
    { subscriptions: Object.keys(bySubscription).map((id) => SubscriptionId.make(id)), budget },
  )

describe("health_resources", () => {
  const statuses = {
    a: [
      status(idOf("a", "web"), "Available"),
      status(idOf("a", "db"), "Degraded"),
      status(idOf("a", "old", "attic"), "Unavailable", "2026-03-09T12:00:00Z"),
    ],
    b: [status(idOf("b", "web")), status(idOf("b", "odd"), "ignore this"), status(idOf("b", "new"), "Unavailable")],
  }

  it.live("begins with the worst state, the latest first, and counts all resources by state", () =>
    Effect.gen(function* () {
      const { call } = yield* withStatuses(statuses)
      const answer = yield* call("health_resources")
      expect(answer.entries.map(({ quotedId, state }) => [quotedId.split("/").at(-1), state])).toEqual([
        ["new", "Unavailable"],
        ["old", "Unavailable"],
        ["db", "Degraded"],
        ["web", "Unknown"],
        ["odd", "Other"],
        ["web", "Available"],
      ])
      expect(answer).toMatchObject({
        status: "complete",
        total: 6,
        states: { Available: 1, Degraded: 1, Unavailable: 2, Unknown: 1, Other: 1 },
      })
      expect(answer.entries[2]).toEqual({
        state: "Degraded",
        who: "platform",
        since: "2026-03-10T12:00:00Z",
        quotedReason: "Unplanned",
        quotedSummary: "Is it so?",
        quotedId: idOf("a", "db"),
        subscription: "a",
      })
    }),
  )

  it.live.each([
    [{ state: ["Unknown"] }, ["web"], []],
    [{ group: ["ATTIC"] }, ["old"], []],
    [{ name: ["web"], state: ["Available"] }, ["web"], []],
    [{ type: ["vendor.sql/servers"], subscriptions: ["b"] }, ["new", "web", "odd"], []],
    [{ type: ["Vendor.Sql/server"] }, [], [expect.stringContaining(`Did you mean "Vendor.Sql/servers"?`)]],
    [{ group: ["atic"] }, [], [expect.stringContaining(`Did you mean "attic"?`)]],
  ] as const)("selects by %o, and counts all states anyway", ([args, names, hints]) =>
    Effect.gen(function* () {
      const { call } = yield* withStatuses(statuses)
      const { entries, quotedHints = [], states = {}, total } = yield* call("health_resources", args)
      expect(entries.map(({ quotedId }) => quotedId.split("/").at(-1))).toEqual(names)
      expect([total, quotedHints]).toEqual([names.length, hints])
      expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe("subscriptions" in args ? 3 : 6)
    }),
  )

  it.live(
    "says in the words of the page who did it, by the events of each subscription, and what it could not read",
    () =>
      Effect.gen(function* () {
        const stopped = (id: string) => {
          const { properties, ...rest } = status(idOf(id, "web"), "Unavailable")
          return { ...rest, properties: { ...properties, reasonType: "UserInitiated" } }
        }
        const { call } = yield* withStatuses(
          { a: [stopped("a")], b: [stopped("b")], c: [stopped("c")] },
          {
            subscriptions: { a: [event("A")], c: { status: 403 } },
            impactedResources: { A: [{ properties: { targetResourceId: idOf("a", "web") } }] },
          },
        )
        const answer = yield* call("health_resources", { subscriptions: ["a", "b"] })
        expect(answer).toMatchObject({ status: "complete", entries: [{ subscription: "a" }, { who: "own action" }] })
        expect(answer.entries[0]).toMatchObject({ who: "platform, and own action", trackingId: "A" })
        expect(yield* call("health_resources", { subscriptions: ["c"] })).toMatchObject({
          status: "partial",
          total: 1,
          quotedHints: [expect.stringMatching(/^Not all events were read \(not of c: .*403/)],
          entries: [{ who: "own action, perhaps more" }],
        })
      }),
  )

  it.live("counts a resource once that a list contains twice", () =>
    Effect.gen(function* () {
      const a = [status(idOf("a", "web"), "Unavailable"), status(`${idOf("a", "web")}/`, "Available")]
      const { call } = yield* withStatuses({ a })
      expect(yield* call("health_resources")).toMatchObject({ total: 1, states: { Unavailable: 1 } })
    }),
  )

  it.live("names subscriptions that failed and counts invalid entries, and is unknown if nothing could be read", () =>
    Effect.gen(function* () {
      const { call } = yield* withStatuses({ ...statuses, b: { status: 403 }, c: [7] })
      expect(yield* call("health_resources")).toMatchObject({
        status: "partial",
        total: 3,
        invalidEntries: 1,
        subscriptions: { coveredCount: 2, failed: [{ id: "b" }] },
      })
      const unknown = yield* call("health_resources", { subscriptions: ["b"] })
      expect(unknown).toMatchObject({ status: "unknown", entries: [] })
      for (const name of ["total", "states", "remaining"]) expect(unknown).not.toHaveProperty(name)
    }),
  )

  it.live("continues by its cursor within the budget, each resource once", () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 40 }, (_, index) => idOf("a", `server-${index}`))
      const { callAll } = yield* withStatuses({ a: all.map((id) => status(id, "Unavailable")) }, { budget: 2000 })
      const answers = yield* callAll("health_resources")
      for (const answer of answers) expect(JSON.stringify(answer).length).toBeLessThanOrEqual(2000)
      expect(answers.flatMap(({ entries }) => entries.map(({ quotedId }) => quotedId))).toEqual(all)
    }),
  )
})

/** What may explain states: the events of several subscriptions, and the resources that they impact. */
import { describe, expect, it } from "@effect/vitest"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import type { TestData } from "@vigil/health-client/TestData"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Causes from "../src/Causes.js"
import * as ImpactedLists from "../src/ImpactedLists.js"

const day = 24 * 3_600_000
const now = Date.now()

/** An event that was just updated. */
const event = (name: string, properties: object = {}) => ({
  id: `/${name}`,
  name,
  properties: { lastUpdateTime: new Date().toISOString(), status: "Active", eventType: "ServiceIssue", ...properties },
})

const idOf = (subscription: string, name: string) =>
  `/subscriptions/${subscription}/resourceGroups/shop/providers/Vendor.Sql/servers/${name}`

const impacts = (...ids: ReadonlyArray<string>) => ids.map((targetResourceId) => ({ properties: { targetResourceId } }))

const stopped = (subscription: string) => ({
  id: `${idOf(subscription, "db")}/providers/Vendor.ResourceHealth/availabilityStatuses/current`,
  location: "westeurope",
  properties: {
    availabilityState: "Unavailable" as const,
    reasonType: "UserInitiated" as const,
    reportedTime: new Date(now).toISOString() as never,
  },
})

/** Reads the causes of states of all subscriptions, and counts the lists. */
const read = (data: TestData, known?: ImpactedLists.ImpactedLists) =>
  Effect.gen(function* () {
    let lists = 0
    const attempt: ImpactedLists.Options["attempt"] = (list) => {
      lists += 1
      return Effect.result(Effect.mapError(list, ({ message }) => message))
    }
    const apiVersion: ApiVersion.ApiVersion = ApiVersion.defaultVersion
    const options = { apiVersion, attempt }
    const ids = Object.keys(data.subscriptions ?? {}).map((id) => SubscriptionId.make(id))
    const causes = yield* Causes.read(ids, options)
    const listed = causes.impacted.events
    const impacted = known && (yield* ImpactedLists.read(listed, { ...options, now, known }))
    const verdictOf = (subscription: string) => Causes.assess(causes, now)(stopped(subscription)).verdict
    return { causes, impacted, lists, verdictOf }
  }).pipe(Effect.provide(HealthClient.layerTest(data)))

describe("causes", () => {
  it.live("are read of the other subscriptions if one refuses its lists, of which few are requested", () =>
    Effect.gen(function* () {
      const events = (subscription: string) =>
        Array.from({ length: 40 }, (_, index) => event(`${subscription}-${index}`))
      const requested: Array<string> = []
      const subscriptions = { a: events("A"), b: events("B") }
      const impactedResources = Object.fromEntries(
        [...subscriptions.a, ...subscriptions.b].map(({ name }) => [name, name.startsWith("A") ? { status: 403 } : []]),
      )
      const attempt: ImpactedLists.Options["attempt"] = (list) =>
        Effect.result(
          Effect.mapError(list, ({ message }) => {
            requested.push(message)
            return message
          }),
        )
      const ids = [SubscriptionId.make("a"), SubscriptionId.make("b")]
      const { impacted } = yield* Causes.read(ids, { attempt }).pipe(
        Effect.provide(HealthClient.layerTest({ subscriptions, impactedResources })),
      )
      expect(ImpactedLists.failures(impacted)).toEqual([
        expect.objectContaining({ source: expect.stringMatching(/A-0, A-1, A-2 and 37 more/) }),
      ])
      expect(impacted.events.filter(({ problem }) => problem === undefined)).toHaveLength(40)
    }),
  )

  it.live("contain an active event without an update for 90 days", () =>
    Effect.gen(function* () {
      const old = new Date(now - 100 * day).toISOString()
      const { verdictOf } = yield* read({
        subscriptions: { a: [event("OLD", { lastUpdateTime: old, impactStartTime: old })] },
        impactedResources: { OLD: impacts(idOf("a", "db")) },
      })
      expect(verdictOf("a")).toBe("platform")
    }),
  )

  it.live("of one subscription are not complete if its events could not be read", () =>
    Effect.gen(function* () {
      const { verdictOf } = yield* read({ subscriptions: { a: [7], b: { status: 403 }, c: [] } })
      expect(["a", "b", "c"].map(verdictOf)).toEqual(["unknown", "unknown", "customer"])
    }),
  )

  it.live("name the near events that explain no resource, by subscription", () =>
    Effect.gen(function* () {
      const impact = [{ impactedService: "SQL", impactedRegions: [{ impactedRegion: "West Europe" }] }]
      const named = event("NAMED", { impact })
      const { causes } = yield* read({
        subscriptions: { a: [named, event("NEAR", { impact }), event("")], b: [event("OTHER", { impact })] },
        impactedResources: { NAMED: impacts(idOf("a", "db")), NEAR: [], OTHER: [] },
      })
      expect(Causes.nearby(causes, [Causes.assess(causes, now)(stopped("a"))], now)).toEqual(["NEAR"])
    }),
  )
})

describe("impacted lists", () => {
  it.live("are no longer requested, which they say, after those of 8 subscriptions were refused in a row", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 40 }, (_, index) => `E${index}`)
      const refusal = { status: 503, headers: { "retry-after": "3600" } }
      const { causes } = yield* read({
        subscriptions: Object.fromEntries(names.map((name) => [name, [event(name)]])),
        impactedResources: Object.fromEntries(names.map((name) => [name, refusal])),
      })
      const problems = causes.impacted.events.map(({ problem = "" }) => problem)
      const requested = problems.filter((problem) => !problem.startsWith("Not requested")).length
      expect([problems.length, requested >= 8, requested < 16]).toEqual([40, true, true])
    }),
  )

  it.live("are read once for the records of an event", () =>
    Effect.gen(function* () {
      const records = Array.from({ length: 120 }, (_, index) => ({ ...event("A"), id: `/${index}` }))
      const { causes, lists } = yield* read({ subscriptions: { a: records }, impactedResources: { A: [] } })
      // The list of events, that of the event, and the metadata.
      expect([lists, causes.impacted.events.length]).toEqual([3, 1])
    }),
  )

  it.live("are those of 100 events, and say so of the others, also if another subscription has the event", () =>
    Effect.gen(function* () {
      const events = Array.from({ length: 51 }, (_, index) => event(`E${index}`))
      const impactedResources = Object.fromEntries(events.map(({ name }) => [name, impacts(idOf("x", "db"))]))
      const { causes, verdictOf } = yield* read({ subscriptions: { a: events, b: events }, impactedResources })
      expect(ImpactedLists.failures(causes.impacted)).toEqual([
        {
          source: "The impacted resources of E49 and E50",
          problem: "Only those of 100 events are read.",
          readAt: undefined,
        },
      ])
      expect(["a", "b"].map(verdictOf)).toEqual(["unknown", "unknown"])
    }),
  )

  it.live("that fail keep what is known of a complete list, and no part of another one", () =>
    Effect.gen(function* () {
      const subscriptions = { a: [event("A")] }
      const complete = yield* read({ subscriptions, impactedResources: { A: impacts(idOf("a", "db")) } })
      const partly = { subscriptions, impactedResources: { A: [7, ...impacts(idOf("a", "x"), idOf("a", "y"))] } }
      const { causes, impacted, verdictOf } = yield* read(partly, complete.causes.impacted)
      const { readAt } = complete.causes.impacted.events[0] ?? {}
      expect(causes.impacted.events).toMatchObject([{ invalid: 1, items: [{}, {}], readAt: undefined }])
      expect(verdictOf("a")).toBe("unknown")
      expect(impacted?.events).toMatchObject([
        { items: impacts(idOf("a", "db")), readAt, problem: "1 entry could not be read." },
      ])
      const again = yield* read({ subscriptions, impactedResources: { A: impacts(idOf("a", "x")) } }, causes.impacted)
      expect(again.impacted?.events).toMatchObject([{ items: [{}], problem: undefined }])
    }),
  )

  it("say of a resource what that of its subscription says, if there is one", () => {
    const listOf = (subscription: string, ...items: ReturnType<typeof impacts>): ImpactedLists.ImpactedList => ({
      subscription: SubscriptionId.make(subscription),
      event: { name: "A" },
      items,
      invalid: 0,
      readAt: now,
    })
    const [own, foreign, other] = [idOf("a", "own"), idOf("a", "foreign"), idOf("c", "other")]
    const lists = [listOf("a", ...impacts(own)), listOf("B", ...impacts(foreign, other, ""))]
    const list = ImpactedLists.byEvent({ events: lists, metadata: undefined }).get("a")
    expect(list?.items).toEqual(impacts(own, other, ""))
  })
})

/** One picture: the events of several subscriptions, of the tenant and of everyone, and the resources that they impact. */
import { describe, expect, it } from "@effect/vitest"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as ResourceUri from "@vigil/health-client/ResourceUri"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import type { TestData } from "@vigil/health-client/TestData"
import * as Effect from "effect/Effect"
import * as Coverage from "../src/Coverage.js"
import * as EventList from "../src/EventList.js"
import * as ImpactedLists from "../src/ImpactedLists.js"
import * as Picture from "../src/Picture.js"
import * as Subject from "../src/Subject.js"

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

/** The only entry of emerging issues. */
const issuesOf = (...statusActiveEvents: ReadonlyArray<object>) => ({
  name: "default",
  properties: { statusActiveEvents },
})

/** Reads the picture of all subscriptions, and counts the lists. */
const read = (data: TestData, known?: ImpactedLists.ImpactedLists) =>
  Effect.gen(function* () {
    let lists = 0
    const run: EventList.Run = (list) => {
      lists += 1
      return list
    }
    const subscriptions = Object.keys(data.subscriptions ?? {}).map((id) => SubscriptionId.make(id))
    const picture = yield* Picture.readEvents({ subscriptions }, { run })
    const impacted = known && (yield* ImpactedLists.read(Picture.ownedEvents(picture.events), { now, known }))
    const verdictOf = (subscription: string) => Picture.assess({ ...picture, now })(stopped(subscription)).verdict
    return { picture, impacted, lists, verdictOf }
  }).pipe(Effect.provide(HealthClient.layerTest({ tenant: [], emergingIssues: [issuesOf()], metadata: [], ...data })))

describe("a picture", () => {
  it.live("has the lists of the other subscriptions if one refuses its lists, of which few are requested", () =>
    Effect.gen(function* () {
      const events = (subscription: string) =>
        Array.from({ length: 40 }, (_, index) => event(`${subscription}-${index}`))
      const subscriptions = { a: events("A"), b: events("B") }
      const impactedResources = Object.fromEntries(
        [...subscriptions.a, ...subscriptions.b].map(({ name }) => [name, name.startsWith("A") ? { status: 403 } : []]),
      )
      const { impacted } = (yield* read({ subscriptions, impactedResources })).picture
      expect(ImpactedLists.failures(impacted)).toEqual([
        expect.objectContaining({ source: expect.stringMatching(/A-0, A-1, A-2 and 37 more/) }),
      ])
      expect(impacted.events.filter(({ problem }) => problem === undefined)).toHaveLength(40)
    }),
  )

  it.live("keeps only selected events, so that the others do not count for its limits", () =>
    Effect.gen(function* () {
      const events = Array.from({ length: 40_000 }, (_, index) => ({ name: `E${index}` }))
      const options = { selects: ({ name }: { readonly name?: string | null }) => name === "E39999" }
      const list = EventList.read(SubscriptionId.make("a"), options)
      const data = { subscriptions: { a: events }, pageSize: 10_000 }
      const { events: kept, problem } = yield* Effect.provide(list, HealthClient.layerTest(data))
      expect([kept.map(({ name }) => name), problem]).toEqual([["E39999"], undefined])
    }),
  )

  it.live("has an active event without an update for 90 days", () =>
    Effect.gen(function* () {
      const old = new Date(now - 100 * day).toISOString()
      const { verdictOf } = yield* read({
        subscriptions: { a: [event("OLD", { lastUpdateTime: old, impactStartTime: old })] },
        impactedResources: { OLD: impacts(idOf("a", "db")) },
      })
      expect(verdictOf("a")).toBe("platform")
    }),
  )

  it.live("is not complete for a subscription whose events could not be read", () =>
    Effect.gen(function* () {
      const { verdictOf } = yield* read({ subscriptions: { a: [7], b: { status: 403 }, c: [] } })
      expect(["a", "b", "c"].map(verdictOf)).toEqual(["unknown", "unknown", "customer"])
    }),
  )

  it.live("names the near events that explain no resource, by subscription", () =>
    Effect.gen(function* () {
      const impact = [{ impactedService: "SQL", impactedRegions: [{ impactedRegion: "West Europe" }] }]
      const named = event("NAMED", { impact })
      const { picture } = yield* read({
        subscriptions: { a: [named, event("NEAR", { impact }), event("")], b: [event("OTHER", { impact })] },
        impactedResources: { NAMED: impacts(idOf("a", "db")), NEAR: [], OTHER: [] },
      })
      expect(Picture.nearby(picture, [Picture.assess(picture)(stopped("a"))])).toEqual(["NEAR"])
    }),
  )
})

describe("the tenant and everyone", () => {
  const impact = [{ impactedService: "SQL", impactedRegions: [{ impactedRegion: "West Europe" }] }]
  const issue = {
    trackingId: "EM-1",
    title: "SQL is slow",
    stage: "Active",
    impacts: [{ name: "SQL", regions: [{ name: "West Europe" }] }],
  }
  const none = { subscriptions: { a: [], b: [] } }

  it.live("explain the resources of every subscription", () =>
    Effect.gen(function* () {
      const impactedResourcesOfTenant = { T: impacts(idOf("b", "db")) }
      const { picture, verdictOf } = yield* read({
        ...none,
        tenant: [event("T", { impact })],
        impactedResourcesOfTenant,
      })
      expect(["a", "b"].map(verdictOf)).toEqual(["customer", "platform"])
      const [of, other] = ["b", "a"].map((id) => Picture.assess({ ...picture, now })(stopped(id)))
      expect([of?.evidence?.sources[0], other?.evidence?.trackingId]).toEqual(["events of the tenant", undefined])
    }),
  )

  it.live("are a suspect for a resource that is down, while they last", () =>
    Effect.gen(function* () {
      const { reasonType: _, ...properties } = stopped("a").properties
      const status = { ...stopped("a"), properties }
      const lastModifiedTime = new Date(now - 2 * 3_600_000).toISOString()
      const suspect = (stage: string) =>
        Effect.map(
          read({ ...none, emergingIssues: [issuesOf({ ...issue, lastModifiedTime, stage })] }),
          ({ picture }) => {
            const { evidence, verdict } = Picture.assess({ ...picture, now })(status)
            return [verdict, evidence?.trackingId]
          },
        )
      expect(yield* suspect("Active")).toEqual(["unknown", "EM-1"])
      expect(yield* suspect("Resolve")).toEqual(["unknown", undefined])
    }),
  )

  it.live("make an own action uncertain if they were not read", () =>
    Effect.gen(function* () {
      const verdict = (data: TestData) => Effect.map(read({ ...none, ...data }), ({ verdictOf }) => verdictOf("a"))
      expect(yield* verdict({})).toBe("customer")
      expect(yield* verdict({ emergingIssues: [issuesOf(issue)] })).toBe("customer")
      expect(yield* verdict({ emergingIssues: { status: 404 } })).toBe("customer")
      expect(yield* verdict({ emergingIssues: [] })).toBe("unknown")
      for (const status of [401, 403, 404, 500]) expect(yield* verdict({ tenant: { status } })).toBe("unknown")
    }),
  )

  it.live("are outside if they may not be read or do not exist, and failed otherwise", () =>
    Effect.gen(function* () {
      const split = (data: TestData) =>
        Effect.map(read({ ...none, ...data }), ({ picture }) =>
          [Picture.outside(picture), Picture.failed(picture)].map((lists) =>
            lists.map(({ subject }) => Subject.key(subject)),
          ),
        )
      for (const status of [401, 403, 404]) expect(yield* split({ tenant: { status } })).toEqual([["tenant"], []])
      expect(yield* split({ tenant: { status: 500 } })).toEqual([[], ["tenant"]])
      expect(yield* split({ emergingIssues: { status: 404 } })).toEqual([[], []])
      // An expired token is a failure.
      const expired = { status: 401 }
      expect(yield* split({ subscriptions: { a: expired }, tenant: expired, emergingIssues: expired })).toEqual([
        [],
        ["subscription/a", "tenant", "everyone"],
      ])
    }),
  )

  it.live("are named with what could not be read", () =>
    Effect.gen(function* () {
      const { picture } = yield* read({ subscriptions: { a: [7] }, tenant: { status: 403 }, emergingIssues: [] })
      const leftOut = { ...picture, events: [], leftOut: [Subject.shared[0]] }
      const nameOf = (id: string) => `"${id}"`
      expect(Coverage.remark(picture, nameOf)).toMatch(
        /^not of "a": 1 entry could not be read; not of the tenant: .*403.*; not of emerging issues: .*no entry$/,
      )
      expect(Coverage.remark(leftOut, nameOf)).toBe("without the tenant")
      expect([picture, leftOut].map(Coverage.isComplete)).toEqual([false, true])
    }),
  )

  it.live("are not read for one resource", () =>
    Effect.gen(function* () {
      const resource = ResourceUri.make(idOf("a", "db"))
      const read = Picture.readEvents({ subscriptions: [], resource })
      const data: TestData = { resources: { [resource]: { status: 404 } } }
      const { events, leftOut } = yield* Effect.provide(read, HealthClient.layerTest(data))
      expect(events.map(({ problem, subject }) => [Subject.key(subject), problem])).toEqual([
        [`resource/${resource.toLowerCase()}`, expect.stringContaining("404")],
      ])
      expect([Picture.outside({ events }), leftOut]).toEqual([[], []])
    }),
  )

  it.live("have emerging issues as events, which a list of a subscription with their ID replaces in reports", () =>
    Effect.gen(function* () {
      const { picture } = yield* read({ ...none, emergingIssues: [issuesOf(issue)] })
      expect(picture.events.at(-1)?.events).toMatchObject([
        { name: "EM-1", properties: { eventType: "EmergingIssues", status: "Active", title: "SQL is slow" } },
      ])
    }),
  )
})

describe("impacted lists", () => {
  it.live("are no longer requested after those of 8 subscriptions were refused in a row", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 40 }, (_, index) => `E${index}`)
      const refusal = { status: 503, headers: { "retry-after": "3600" } }
      const { lists, picture } = yield* read({
        subscriptions: Object.fromEntries(names.map((name) => [name, [event(name)]])),
        impactedResources: Object.fromEntries(names.map((name) => [name, refusal])),
      })
      expect([picture.impacted.events.filter(({ problem }) => problem === undefined), lists]).toEqual([[], 83])
    }),
  )

  it.live("are read once for the records of an event", () =>
    Effect.gen(function* () {
      const records = Array.from({ length: 120 }, (_, index) => ({ ...event("A"), id: `/${index}` }))
      const { lists, picture } = yield* read({ subscriptions: { a: records }, impactedResources: { A: [] } })
      // The events of the subscription, of the tenant and of everyone, the list of the event, and the metadata.
      expect([lists, picture.impacted.events.length]).toEqual([5, 1])
    }),
  )

  it.live("are those of 100 events, and say so of the others, also if another subscription has the event", () =>
    Effect.gen(function* () {
      const events = Array.from({ length: 51 }, (_, index) => event(`E${index}`))
      const impactedResources = Object.fromEntries(events.map(({ name }) => [name, impacts(idOf("x", "db"))]))
      const { picture, verdictOf } = yield* read({ subscriptions: { a: events, b: events }, impactedResources })
      expect(ImpactedLists.failures(picture.impacted)).toEqual([
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
      const { impacted, picture, verdictOf } = yield* read(partly, complete.picture.impacted)
      const { readAt } = complete.picture.impacted.events[0] ?? {}
      expect(picture.impacted.events).toMatchObject([{ invalid: 1, items: [{}, {}], readAt: undefined }])
      expect(verdictOf("a")).toBe("unknown")
      expect(impacted?.events).toMatchObject([
        { items: impacts(idOf("a", "db")), readAt, problem: "1 entry could not be read." },
      ])
      const again = yield* read({ subscriptions, impactedResources: { A: impacts(idOf("a", "x")) } }, picture.impacted)
      expect(again.impacted?.events).toMatchObject([{ items: [{}], problem: undefined }])
    }),
  )

  it("say of a resource what that of its subscription says, if there is one", () => {
    const listOf = (owner: string, ...items: ReturnType<typeof impacts>): ImpactedLists.ImpactedList => ({
      owner: SubscriptionId.make(owner),
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

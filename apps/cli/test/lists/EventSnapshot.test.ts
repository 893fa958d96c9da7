/** What reports and pages draw of a picture: each event once, whose it is, and what lacks. */
import { describe, expect, it } from "@effect/vitest"
import * as AvailabilityClient from "@vigil/health-client/AvailabilityClient"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import type { TestData } from "@vigil/health-client/TestData"
import * as EventSummary from "@vigil/health-report/EventSummary"
import * as ResourceStates from "@vigil/health-report/ResourceStates"
import * as Picture from "@vigil/health-verdict/Picture"
import * as Effect from "effect/Effect"
import * as EventSnapshot from "../../src/lists/EventSnapshot.js"
import * as SubscriptionNames from "../../src/settings/SubscriptionNames.js"
import { idOf, status } from "../support/statuses.js"

const names = SubscriptionNames.make([])

const event = (name: string, properties: object = {}) => ({
  id: `/${name}/${JSON.stringify(properties).length}`,
  name,
  properties: {
    title: `About ${name}`,
    lastUpdateTime: new Date().toISOString(),
    status: "Active",
    eventType: "ServiceIssue",
    ...properties,
  },
})

const issues = (properties: object) => ({ name: "default", properties })

const layer = (data: TestData) =>
  Effect.provide(HealthClient.layerTest({ tenant: [], emergingIssues: [issues({})], metadata: [], ...data }))

const snapshot = (data: TestData, options: Partial<Parameters<typeof EventSnapshot.make>[1]> = {}) =>
  Effect.gen(function* () {
    const subscriptions = Object.keys(data.subscriptions ?? {}).map((id) => SubscriptionId.make(id))
    const picture = yield* Picture.readEvents({ subscriptions })
    return EventSnapshot.make(picture, { names, from: 0, ...options })
  }).pipe(layer(data))

const namesOf = ({ events }: { readonly events: ReadonlyArray<{ readonly name?: string | null | undefined }> }) =>
  events.map(({ name }) => name)

/** One resource that works, one that broke, and one that its owner stopped. */
const statusesOf = (subscription: string) => {
  const { properties, ...own } = status("own", "Unavailable", subscription)
  return [
    status("fine", "Available", subscription),
    status("broken", "Unavailable", subscription),
    { ...own, properties: { ...properties, reasonType: "UserInitiated" } },
  ]
}

const availability = AvailabilityClient.layerTest({
  statuses: { "/subscriptions/a": statusesOf("a"), "/subscriptions/b": statusesOf("b") },
})

const impacts = (...ids: ReadonlyArray<string>) => ids.map((targetResourceId) => ({ properties: { targetResourceId } }))

const near = { impact: [{ impactedService: "SQL", impactedRegions: [{ impactedRegion: "West Europe" }] }] }

const worlds: ReadonlyArray<TestData & { readonly withoutTenant?: boolean }> = [
  {},
  { tenant: { status: 403 } },
  { tenant: { status: 500 } },
  { tenant: { status: 403 }, withoutTenant: true },
  { tenant: [event("T")], impactedResourcesOfTenant: { T: impacts(idOf("fine", "b"), idOf("own", "a")) } },
  { tenant: [event("T", near)] },
  { emergingIssues: { status: 500 } },
  { emergingIssues: [issues({ statusActiveEvents: [{ trackingId: "E", title: "Outage" }] })] },
  { subscriptions: { a: [event("A")], b: { status: 500 } }, impactedResources: { A: impacts(idOf("fine", "a")) } },
  { subscriptions: { a: [event("A", near)], b: [] }, impactedResources: { A: { status: 500 } } },
  { subscriptions: { a: [42], b: [event("B", near)] }, impactedResources: { B: impacts(idOf("broken", "b")) } },
]

describe("the states of resources", () => {
  it.effect.each(worlds)("are those of the picture: %j", ({ withoutTenant, ...data }) =>
    Effect.gen(function* () {
      const subscriptions = ["a", "b"].map((id) => SubscriptionId.make(id))
      const picture = yield* Picture.read({ subscriptions, withoutTenant })
      const statuses = picture.statuses.flatMap((list) => list.statuses)
      const made = ResourceStates.make(EventSnapshot.make(picture, { names, from: 0, selects: () => false }))
      expect([made?.all, statuses.length]).toEqual([statuses.map(Picture.assess(picture)), 6])
    }).pipe(layer({ subscriptions: { a: [], b: [] }, ...data }), Effect.provide(availability)),
  )
})

describe("the events", () => {
  it.effect("are those of subscriptions, the tenant and everyone, each once", () =>
    Effect.gen(function* () {
      const made = yield* snapshot({
        subscriptions: { a: [event("A"), event("A", { status: "Resolved" }), event("B")] },
        tenant: [event("B", { eventLevel: "Critical" }), event("T")],
        emergingIssues: [
          issues({
            statusActiveEvents: [{ trackingId: "E", title: "Outage" }],
            statusBanners: [{ title: "About T" }, { title: "News" }],
          }),
        ],
      })
      expect(namesOf(made)).toEqual(["A", "A", "B", "T", "E", undefined])
      expect(EventSummary.text(EventSummary.make(made))).toBe(
        "5 issues are active: 3 service issues and 2 emerging issues.",
      )
    }),
  )

  it.effect("are selected after the reading: states are judged by all", () =>
    Effect.gen(function* () {
      const old = { lastUpdateTime: new Date(0).toISOString() }
      const data = { subscriptions: { a: [event("A"), event("B"), event("C", old)] } }
      const made = yield* snapshot(data, { from: Date.now() - 1000, selects: ({ name }) => name !== "A" })
      expect([namesOf(made), made.isFiltered]).toEqual([["B"], true])
      expect(made.subscriptions?.map((one) => [one.id, namesOf(one), one.isComplete])).toEqual([
        ["a", ["A", "B", "C"], true],
      ])
    }),
  )
})

const lacking: ReadonlyArray<readonly [TestData, string]> = [
  [
    { tenant: { status: 403 } },
    "No issue is known to be active (not of the tenant: HealthClient.pagesByTenant: the health service responded 403. Ask for the permission, or use a token that has it).",
  ],
  [{ tenant: { status: 500 } }, "No issue is known to be active. The tenant could not be read."],
  [{ emergingIssues: { status: 500 } }, "No issue is known to be active. Emerging issues could not be read."],
  [{ emergingIssues: [] }, "No issue is known to be active (not of emerging issues: The service sent no entry)."],
  [{}, "No issue is active."],
]

describe("what lacks", () => {
  it.effect.each(lacking)("is said: %j", ([data, text]) =>
    Effect.gen(function* () {
      const made = yield* snapshot({ subscriptions: { a: [] }, ...data })
      expect(EventSummary.text(EventSummary.make(made))).toBe(text)
    }),
  )
})

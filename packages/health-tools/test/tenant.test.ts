/** What each tool says of the tenant and of emerging issues, whether they can be read or not. */
import { describe, expect, it } from "@effect/vitest"
import * as AvailabilityClient from "@vigil/health-client/AvailabilityClient"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import type { TestData } from "@vigil/health-client/TestData"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { connect, event, issues, quiet } from "./connect.js"

const resource = "/subscriptions/a/resourceGroups/shop/providers/Vendor.Sql/servers/web-1"

const status = (availabilityState: string, reasonType: string) => ({
  id: `${resource}/providers/Vendor.ResourceHealth/availabilityStatuses/current`,
  location: "westeurope",
  properties: { availabilityState, reasonType, reportedTime: new Date().toISOString() },
})

const impact = [{ impactedService: "SQL", impactedRegions: [{ impactedRegion: "West Europe" }] }]
const outage = event("T", { title: "Outage", eventLevel: "Critical", impact })
const listing = { T: [{ properties: { targetResourceId: resource } }] }

const slow = {
  trackingId: "EM-1",
  title: "Slow",
  stage: "Active",
  lastModifiedTime: new Date().toISOString(),
  impacts: [{ name: "SQL", regions: [{ name: "West Europe" }] }],
}

/** A subscription without events of its own, whose resource its owner stopped. */
const start = (
  data: TestData,
  options: {
    readonly withoutTenant?: boolean
    readonly isUp?: boolean
    readonly change?: (client: HealthClient.Service) => HealthClient.Service
  } = {},
) => {
  const current = options.isUp === true ? status("Available", "") : status("Unavailable", "Customer Initiated")
  const statuses = { "/subscriptions/a": [current], [resource]: [current] }
  const resources = { [resource]: [] }
  const health = HealthClient.layerTest({ ...quiet, resources, subscriptions: { a: [] }, ...data })
  const { change = (client) => client } = options
  const clients = Layer.merge(
    Layer.effect(HealthClient.HealthClient, Effect.map(HealthClient.HealthClient, change)).pipe(Layer.provide(health)),
    AvailabilityClient.layerTest({ statuses, children: { [resource]: [] } }),
  )
  return connect(clients, { subscriptions: [SubscriptionId.make("a")], withoutTenant: options.withoutTenant })
}

const calls = [
  ["health_summary", {}],
  ["health_events", {}],
  ["health_changes", { since: "24h" }],
  ["health_resources", {}],
  ["health_subscriptions", {}],
  ["health_why", { resource }],
] as const

describe("the tenant and emerging issues", () => {
  it.live("are in each answer, with their scope", () =>
    Effect.gen(function* () {
      const { call } = yield* start({
        tenant: [outage],
        impactedResourcesOfTenant: listing,
        emergingIssues: [issues(slow)],
      })
      for (const name of ["health_events", "health_changes"] as const) {
        const { entries, ...head } = yield* call(name)
        expect(head).toMatchObject({ status: "complete", tenant: "read", emergingIssues: "read", total: 2 })
        expect(entries).toHaveLength(2)
        expect(entries).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ trackingId: "T", scope: "tenant", subscriptions: [] }),
            expect.objectContaining({ trackingId: "EM-1", scope: "everyone", subscriptions: [] }),
          ]),
        )
      }
      expect(yield* call("health_summary")).toMatchObject({
        verdict: "wrong",
        status: "complete",
        states: { Unavailable: 1 },
        causes: [{ who: "platform, and own action", trackingId: "T", count: 1, quotedIds: [resource] }],
        activeIssues: 2,
        mostImportant: [
          { trackingId: "T", reach: "hits", resources: 1 },
          { trackingId: "EM-1", reach: "may hit" },
        ],
      })
      expect(yield* call("health_resources")).toMatchObject({
        status: "complete",
        entries: [{ who: "platform, and own action", trackingId: "T" }],
      })
      expect(yield* call("health_why", { resource })).toMatchObject({ status: "complete", verdict: "platform" })
      expect(yield* call("health_event_details", { trackingId: "T" })).toMatchObject({ event: { scope: "tenant" } })
      expect(yield* call("health_event_details", { trackingId: "EM-1" })).toMatchObject({
        event: { scope: "everyone", quotedTitle: "Slow" },
      })
      expect(yield* call("health_impacted_resources", { trackingId: "T" })).toMatchObject({
        status: "complete",
        total: 1,
        withEvent: ["the tenant"],
        entries: [{ scope: "tenant", quotedId: resource }],
      })
      const emerging = yield* call("health_impacted_resources", { trackingId: "EM-1" })
      expect(emerging).toMatchObject({ status: "unknown", quotedHints: ["Emerging issues name no resources."] })
      expect(emerging).not.toHaveProperty("total")
    }),
  )

  it.live("are fine if all was read, and nothing is wrong", () =>
    Effect.gen(function* () {
      const { call } = yield* start({}, { isUp: true })
      expect(yield* call("health_summary")).toMatchObject({ verdict: "fine", status: "complete", activeIssues: 0 })
    }),
  )

  it.live.each<readonly [code: number, covered: string]>([
    [401, "not allowed"],
    [403, "not allowed"],
    [404, "not found"],
    [500, "incomplete"],
  ])("are missing in no complete answer, if the tenant responds %i", ([code, tenant]) =>
    Effect.gen(function* () {
      const { call } = yield* start({ tenant: { status: code } }, { isUp: true })
      for (const [name, args] of calls) {
        const answer = yield* call(name, args)
        const covered = name === "health_why" ? "incomplete" : tenant
        expect([name, answer]).toEqual([name, expect.objectContaining({ status: "partial", tenant: covered })])
        expect(JSON.stringify(answer)).toMatch(
          name === "health_why" ? /events of the tenant/ : new RegExp(`not of the tenant: .*${code}`),
        )
      }
      expect(yield* call("health_summary")).toMatchObject({ verdict: "unknown" })
      expect(yield* call("health_why", { resource })).toMatchObject({ verdict: "unknown" })
      for (const name of ["health_event_details", "health_impacted_resources"] as const) {
        const answer = yield* call(name, { trackingId: "T" })
        expect([name, answer]).toEqual([name, expect.objectContaining({ status: "unknown", tenant })])
        expect(answer).not.toHaveProperty("total")
      }
    }),
  )

  it.effect("are missing in no complete answer, if the tenant does not respond", () =>
    Effect.gen(function* () {
      // The resource was just checked.
      yield* TestClock.setTime(Date.now())
      const hanging = (client: HealthClient.Service): HealthClient.Service => ({
        ...client,
        pagesByTenant: () => Stream.never,
      })
      const { call } = yield* start({}, { isUp: true, change: hanging })
      for (const [name, args] of calls) {
        const fiber = yield* Effect.forkChild(call(name, args))
        yield* Effect.repeat(Effect.andThen(Effect.yieldNow, TestClock.adjust("1 second")), { times: 60 })
        expect([name, yield* Fiber.join(fiber)]).toEqual([
          name,
          expect.objectContaining({ status: "partial", tenant: "incomplete" }),
        ])
      }
    }),
  )

  it.live("are missing in no complete answer, if emerging issues fail", () =>
    Effect.gen(function* () {
      const { call } = yield* start({ emergingIssues: { status: 500 } }, { isUp: true })
      for (const [name, args] of calls)
        expect([name, yield* call(name, args)]).toEqual([
          name,
          expect.objectContaining({ status: "partial", emergingIssues: "incomplete" }),
        ])
    }),
  )

  it.live("are left out on request, and each answer says so", () =>
    Effect.gen(function* () {
      const { call } = yield* start({ tenant: [outage] }, { withoutTenant: true, isUp: true })
      for (const [name, args] of calls)
        expect([name, yield* call(name, args)]).toEqual([
          name,
          expect.objectContaining({ status: "complete", tenant: "left out" }),
        ])
      expect((yield* call("health_event_details", { trackingId: "T" })).error).toMatch(
        /^No list has the event "T" \(without the tenant\)/,
      )
    }),
  )

  it.live("make an own action uncertain, as an explanation does", () =>
    Effect.gen(function* () {
      const { call } = yield* start({ tenant: { status: 403 } })
      expect(yield* call("health_resources")).toMatchObject({ entries: [{ who: "own action, perhaps more" }] })
      expect(yield* call("health_why", { resource })).toMatchObject({ verdict: "unknown" })
    }),
  )
})

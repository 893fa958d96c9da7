/** Calls with the names that people use. */
import { describe, expect, it } from "@effect/vitest"
import * as AvailabilityClient from "@vigil/health-client/AvailabilityClient"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { connect, event, withData } from "./connect.js"

const idOf = (subscription: string, name: string, type = "Compute/virtualMachines") =>
  `/subscriptions/${subscription}/resourceGroups/shop/providers/Vendor.${type}/${name}`

const status = (id: string) => ({
  id: `${id}/providers/Vendor.ResourceHealth/availabilityStatuses/current`,
  properties: {
    availabilityState: "Unavailable",
    occuredTime: new Date().toISOString(),
    reportedTime: new Date().toISOString(),
    reasonType: "Unplanned",
    context: "Platform Initiated",
  },
})

const resources = {
  a: [status(idOf("a", "Web-1")), status(idOf("a", "db", "Sql/servers"))],
  b: [status(idOf("b", "db"))],
}

/** The history of a resource is its status. */
const start = (lists: Readonly<Record<string, ReadonlyArray<ReturnType<typeof status>> | { status: number }>>) =>
  connect(
    Layer.merge(
      HealthClient.layerTest({
        subscriptions: { a: [], b: [] },
        resources: { [idOf("a", "Web-1")]: [] },
        tenant: [],
      }),
      AvailabilityClient.layerTest({
        statuses: {
          ...Object.fromEntries(Object.entries(lists).map(([id, list]) => [`/subscriptions/${id}`, list])),
          [idOf("a", "Web-1")]: [status(idOf("a", "Web-1"))],
        },
      }),
    ),
    { subscriptions: ["a", "b"].map((id) => SubscriptionId.make(id)), names: [{ id: "b", name: "Prod" }] },
  )

describe("health_why", () => {
  it.live("takes the name of a resource in any of the subscriptions", () =>
    Effect.gen(function* () {
      const { call } = yield* start(resources)
      const byName = yield* call("health_why", { resource: "web-1" })
      const byId = yield* call("health_why", { resource: idOf("a", "Web-1") })
      expect(byName).toMatchObject({ verdict: "platform", subscriptions: byId.subscriptions, entries: byId.entries })
    }),
  )

  it.live("says what to call if several resources have the name, or none", () =>
    Effect.gen(function* () {
      const { call } = yield* start(resources)
      expect((yield* call("health_why", { resource: "DB" })).error).toBe(
        '2 resources have the name "DB". Call health_resources with name "DB", and pass the quotedId of one as resource.',
      )
      expect(yield* call("health_resources", { name: "DB" })).toMatchObject({ total: 2 })
      expect((yield* call("health_why", { resource: "db", subscriptions: "Prod" })).error).toMatch(/does not know/)
      expect((yield* call("health_why", { resource: "web-2" })).error).toMatch(
        /^No resource of 2 subscriptions has the name "web-2"/,
      )
    }),
  )

  it.live("names the subscriptions in which it could not look for the name", () =>
    Effect.gen(function* () {
      const { call } = yield* start({ ...resources, b: { status: 403 } })
      const found = yield* call("health_why", { resource: "web-1" })
      expect(JSON.stringify(found.unread)).toMatch(/Prod: (?!\w+Client).*403/)
      expect(found.subscriptions).toMatchObject({ covered: [{ id: "a" }], failed: [{ id: "b", name: "Prod" }] })
      expect(yield* call("health_why", { resource: "other" })).toMatchObject({
        status: "unknown",
        verdict: "unknown",
        subscriptions: {
          coveredCount: 1,
          failed: [{ id: "b", name: "Prod", quotedReason: expect.stringContaining("403") }],
        },
      })
    }),
  )

  it.live("asks whether a misspelled subscription is a known one", () =>
    Effect.gen(function* () {
      const { call } = yield* start(resources)
      expect(yield* call("health_why", { resource: "web-1", subscriptions: "Pord" })).toMatchObject({
        verdict: "unknown",
        quotedHints: ['No subscription is named "Pord". Did you mean "Prod"?'],
      })
    }),
  )
})

describe("the tools", () => {
  it.live("take a text for a list with one", () =>
    Effect.gen(function* () {
      const impact = [{ impactedService: "SQL", impactedRegions: [{ impactedRegion: "West Europe" }] }]
      const { call } = yield* withData({ subscriptions: { a: [event("A", { impact }), event("B")] } })
      for (const args of [{ region: "westeurope" }, { region: ["westeurope"] }, { service: "SQL", status: "Active" }])
        expect((yield* call("health_events", args)).entries).toMatchObject([{ trackingId: "A" }])
      expect((yield* call("health_events", { level: "High" })).error).toMatch(/level/)
    }),
  )

  it.live("ask whether a misspelled subscription is a known one", () =>
    Effect.gen(function* () {
      const { call } = yield* withData({ subscriptions: { a: [] } }, { names: [{ id: "a", name: "Prod" }] })
      expect(yield* call("health_events", { subscriptions: "Pord" })).toMatchObject({
        status: "unknown",
        quotedHints: ['No subscription is named "Pord". Did you mean "Prod"?'],
      })
    }),
  )
})

/** A list of resources is never surer than the explanation of one of them. `PROPERTY_RUNS` sets the number of worlds. */
import * as AvailabilityClient from "@vigil/health-client/AvailabilityClient"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import type { Response } from "@vigil/health-client/TestData"
import * as Property from "@vigil/testing/property"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { connect, event, issues } from "./connect.js"

const one = FastCheck.constantFrom

const resource = "/subscriptions/a/resourceGroups/shop/providers/Vendor.Sql/servers/web-1"

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

/** What a list responds in place of its entries. */
const fault = FastCheck.option(one<"entry" | number>("entry", 401, 403, 404, 500), { freq: 12, nil: undefined })

const respond = (entries: ReadonlyArray<unknown>, fault: "entry" | number | undefined): Response =>
  fault === undefined ? entries : fault === "entry" ? [...entries, 7] : { status: fault }

const targets = { own: [resource], others: [`${resource}0`], part: [`${resource}/databases/b`], none: [] }

const outage = FastCheck.record({
  isOfTenant: FastCheck.boolean(),
  listed: one("own", "others", "part", "none", "none"),
  fault,
  service: one("SQL Database", "Virtual Machines", "Entra ID"),
  region: one("West Europe", "East US", "Global"),
  eventType: one("ServiceIssue", "ServiceIssue", "PlannedMaintenance", "HealthAdvisory"),
  status: one("Active", "Active", "Resolved"),
  start: FastCheck.integer({ min: -10, max: 50 }),
  end: one(null, -20, 1, 40),
})

const world = FastCheck.record({
  state: one("Available", "Unavailable", "Unavailable", "Degraded", "Unknown"),
  reasonType: one("", "Unplanned", "Customer Initiated", "Customer Initiated"),
  outages: FastCheck.array(outage, { maxLength: 3 }),
  stage: one(undefined, "Active", "Resolve"),
  faults: FastCheck.record({ subscription: fault, tenant: fault, everyone: fault, metadata: fault }),
  withoutTenant: FastCheck.boolean(),
})

/** The cause of which a list is sure. */
const sureCause = (who = "") => (/perhaps/.test(who) ? undefined : /^(platform|maintenance|own action)/.exec(who)?.[1])

const verdicts: Readonly<Record<string, string>> = { "own action": "customer" }

Property.live(
  "health_resources is never surer than health_why from the same lists",
  [world],
  ([{ faults, outages, reasonType, stage, state, withoutTenant }]) =>
    Effect.gen(function* () {
      const made = outages.map(({ end, region, service, start, ...rest }, index) => ({
        ...rest,
        name: `E${index}`,
        event: event(`E${index}`, {
          eventType: rest.eventType,
          status: rest.status,
          impactStartTime: ago(start),
          impactMitigationTime: end === null ? null : ago(end),
          impact: [{ impactedService: service, impactedRegions: [{ impactedRegion: region }] }],
        }),
      }))
      const eventsOf = (isOfTenant: boolean) =>
        made.filter((outage) => outage.isOfTenant === isOfTenant).map((outage) => outage.event)
      const impacted = Object.fromEntries(
        made.map(({ fault, listed, name }) => [
          name,
          respond(
            targets[listed].map((targetResourceId) => ({ properties: { targetResourceId } })),
            fault,
          ),
        ]),
      )
      const impacts = [{ name: "SQL Database", regions: [{ name: "West Europe" }] }]
      const emerging = { trackingId: "EM-1", title: "Slow", stage, lastModifiedTime: ago(1), impacts }
      const supportedValues = [
        { displayName: "SQL Database", resourceTypes: ["Vendor.Sql/servers"] },
        { displayName: "Virtual Machines", resourceTypes: ["Vendor.Compute/virtualMachines"] },
      ]
      const status = {
        id: `${resource}/providers/Vendor.ResourceHealth/availabilityStatuses/current`,
        location: "westeurope",
        properties: { availabilityState: state, reasonType, occuredTime: ago(2), reportedTime: ago(0) },
      }
      const clients = Layer.merge(
        HealthClient.layerTest({
          subscriptions: { a: respond(eventsOf(false), faults.subscription) },
          tenant: respond(eventsOf(true), faults.tenant),
          emergingIssues: respond([stage === undefined ? issues() : issues(emerging)], faults.everyone),
          metadata: respond([{ name: "service", properties: { supportedValues } }], faults.metadata),
          resources: { [resource]: [] },
          impactedResources: impacted,
          impactedResourcesOfTenant: impacted,
        }),
        AvailabilityClient.layerTest({
          statuses: { "/subscriptions/a": [status], [resource]: [status] },
          children: { [resource]: [] },
        }),
      )
      const { call } = yield* connect(clients, { subscriptions: [SubscriptionId.make("a")], withoutTenant })
      const list = yield* call("health_resources")
      const why = yield* call("health_why", { resource })
      const [entry] = list.entries
      const cause = sureCause(entry?.who)
      if (cause !== undefined) expect(why.verdict).toBe(verdicts[cause] ?? cause)
      // A list counts an event for an available resource only if the event names it.
      if (list.status === "complete" && state === "Available" && entry?.who === undefined) {
        // Nor does it read which resources an event impacted that ended.
        expect(why.isOngoing).toBe(false)
        expect(why.suspect?.subject ?? "region").toMatch(/^(service|peers|region)$/)
      }
      if (list.status === "complete") expect(["read", "left out"]).toContain(list.tenant)
    }),
  {
    fastCheck: {
      numRuns: Math.ceil(Number(process.env["PROPERTY_RUNS"] ?? 100) / 2),
      interruptAfterTimeLimit: 1_500_000,
    },
  },
)

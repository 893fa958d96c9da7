/** How many resources are of the services and in the regions of an event. */
import type { AvailabilityStatus } from "@vigil/health-schema/AvailabilityStatus"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import type { Timestamp } from "@vigil/health-schema/Timestamp"
import * as Nearby from "@vigil/health-verdict/Nearby"
import { expect, it } from "vitest"

const now = Date.UTC(2026, 2, 10, 12)
const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString() as Timestamp

const resource = (type: string, location: string): AvailabilityStatus => ({
  id: `/subscriptions/s/resourceGroups/g/providers/V.${type}/x/providers/V.ResourceHealth/availabilityStatuses/current`,
  location,
})

const statuses = [resource("Web/sites", "westeurope"), resource("Web/sites", "westeurope"), resource("Sql/servers", "")]

const issue = (service: string, region: string, more: object = {}): AnyEvent => ({
  properties: {
    status: "Active",
    impactStartTime: at(-3),
    impact: [{ impactedService: service, impactedRegions: [{ impactedRegion: region, status: "Active", ...more }] }],
  },
})

const metadata = [
  {
    properties: {
      supportedValues: [
        { displayName: "Web", resourceTypes: ["V.Web/sites"] },
        { displayName: "SQL", resourceTypes: ["V.Sql/servers"] },
      ],
    },
  },
]

it.each([
  ["Web", "West Europe", 2],
  ["Web", "East US", 0],
  ["Web", "EU West", 2],
  ["Web", "North Europe | Zone 2 in West Europe", 2],
  ["SQL", "West Europe", 1],
  ["SQL", "Global", 1],
  ["Mail", "West Europe", 0],
  ["", "West Europe", 3],
  ["Web", "", 2],
  // Too long to be read for each region.
  ["Web", "East US, ".repeat(1_000), 2],
])("counts those of %j in %j", (service, region, count) => {
  expect(Nearby.make(statuses, now, metadata)(issue(service, region)).sure).toBe(count)
})

it.each([
  ["Network Infrastructure", "West Europe", 3],
  ["Mail", "East US", 1],
  ["Web", "West Europe", 2],
])("counts as possible those that %j in %j does not surely exclude", (service, region, possible) => {
  expect(Nearby.make(statuses, now, metadata)(issue(service, region)).possible).toBe(possible)
})

it("counts by region alone without metadata", () => {
  expect(Nearby.make(statuses, now)(issue("SQL", "West Europe")).sure).toBe(3)
})

it("counts none for an impact that has ended, and for an event without impacts", () => {
  const over = issue("Web", "West Europe", { status: "Resolved", lastUpdateTime: at(-1) })
  expect([over, {}].map(Nearby.make(statuses, now))).toEqual([
    { sure: 0, possible: 0 },
    { sure: 0, possible: 0 },
  ])
})

/** What was read of a resource: that it is available, and all lists. Types are those of `@vigil/health-verdict/Evidence`. */
import type { AvailabilityStatus } from "@vigil/health-schema/AvailabilityStatus"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import type { Timestamp } from "@vigil/health-schema/Timestamp"
import * as FastCheck from "fast-check"

/** A list, of which all was read. */
interface Reading<A> {
  readonly items: ReadonlyArray<A>
  readonly invalid: number
}

export const resource = "/subscriptions/s1/resourceGroups/shop/providers/Vendor.Compute/virtualMachines/web-1"
export const now = Date.UTC(2026, 2, 10, 12)
export const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString() as Timestamp

export const list = <A = never>(...items: ReadonlyArray<A>): Reading<A> => ({ items, invalid: 0 })

export const status = (properties: AvailabilityStatus["properties"]): AvailabilityStatus => ({
  location: "westeurope",
  properties: { availabilityState: "Unavailable", occuredTime: ago(2), reportedTime: ago(0), ...properties },
})

export const available = status({ availabilityState: "Available", occuredTime: ago(90) })

/** A history. Its entries need the ID of the resource. */
export const past = (...statuses: ReadonlyArray<AvailabilityStatus>): Reading<AvailabilityStatus> =>
  list(...statuses.map((one) => ({ ...one, id: resource })))

export const event = (
  name: string,
  properties: AnyEvent["properties"] = {},
  service = "Virtual Machines",
  region = "West Europe",
) =>
  ({
    name,
    properties: {
      eventType: "ServiceIssue",
      status: "Active",
      title: `Event ${name}`,
      impactStartTime: ago(3),
      lastUpdateTime: ago(1),
      impact: [{ impactedService: service, impactedRegions: [{ impactedRegion: region }] }],
      ...properties,
    },
  }) satisfies AnyEvent

export const services = list({
  properties: {
    supportedValues: [
      { displayName: "Virtual Machines", resourceTypes: ["Vendor.Compute/virtualMachines"] },
      { displayName: "SQL Database", resourceTypes: ["Vendor.Sql/servers"] },
      { displayName: "Network Infrastructure", resourceTypes: [] },
    ],
  },
})

/** It is available, and nothing may concern it. */
export const calm = {
  resource,
  now,
  from: now - 90 * 24 * 3_600_000,
  current: list(available),
  history: past(available),
  children: list(),
  ownEvents: list(),
  subscriptionEvents: list(),
  tenantEvents: list(),
  emergingIssues: list(),
  sameName: list(),
  impacted: new Map<string, never>(),
  metadata: services,
}

/** Readings with any statuses and events, all of them complete. */
export const complete = FastCheck.record({
  statuses: FastCheck.array(
    FastCheck.record({
      availabilityState: FastCheck.constantFrom("Available", "Unavailable", "Degraded", "Unknown", null),
      reasonType: FastCheck.constantFrom("", null, "Unplanned", "Planned", "Customer Initiated"),
      occuredTime: FastCheck.integer({ min: 0, max: 50 }).map(ago),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  events: FastCheck.array(
    FastCheck.record({
      isOwn: FastCheck.boolean(),
      isListed: FastCheck.constantFrom(true, false, undefined),
      service: FastCheck.constantFrom("Virtual Machines", "SQL Database"),
      region: FastCheck.constantFrom("West Europe", "East US", "Global", ""),
      properties: FastCheck.record({
        eventType: FastCheck.constantFrom("ServiceIssue", "PlannedMaintenance", "HealthAdvisory"),
        status: FastCheck.constantFrom("Active", "Resolved"),
        impactStartTime: FastCheck.integer({ min: -20, max: 50 }).map(ago),
        impactMitigationTime: FastCheck.integer({ min: -40, max: 50 }).map(ago),
      }),
    }),
    { maxLength: 4 },
  ),
}).map(({ events, statuses }) => {
  const made = events.map((one, index) => ({
    ...one,
    event: event(`E${index}`, one.properties, one.service, one.region),
  }))
  const [current, ...history] = statuses.map((properties) => status(properties))
  const targets = (isListed: boolean | undefined) => {
    if (isListed === undefined) return list()
    return list({ properties: { targetResourceId: isListed ? resource.toUpperCase() : `${resource}0` } })
  }
  return {
    ...calm,
    current: current ? list(current) : list(),
    history: past(...history),
    ownEvents: list(...made.filter(({ isOwn }) => isOwn).map(({ event }) => event)),
    subscriptionEvents: list(...made.map(({ event }) => event)),
    impacted: new Map(made.map(({ event, isListed }) => [event.name.toLowerCase(), targets(isListed)])),
  }
})

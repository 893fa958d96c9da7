/** The states of resources agree with the events of the world. */
import { AvailabilityStatus, OpenEnum, Region } from "@vigil/health-schema"
import { World } from "@vigil/sandbox"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { current, history } from "../src/internal/world/availability.js"
import { eventsOf } from "../src/internal/world/lookup.js"
import { childrenOf } from "../src/internal/world/places.js"

const now = Date.UTC(2026, 0, 15, 12)
const hour = 60 * 60 * 1000
const world = World.make({ now, resources: 300 })
const [resource = world.resources[0]] = world.resources

/** The tracking IDs of the service issues that affect a resource now. */
const issuesOf = (one: World.World, resource: World.Resource) =>
  eventsOf(one, resource)
    .filter(({ event: { properties } }) => {
      const own = properties?.impact
        ?.flatMap(({ impactedRegions }) => impactedRegions ?? [])
        .find(({ impactedRegion }) => Region.equals(impactedRegion, resource.region))
      const isActive = [properties?.status, own?.status].every((status) => OpenEnum.equals(status, "Active"))
      return isActive && properties?.eventType === "ServiceIssue"
    })
    .map(({ event }) => event.name)

/** An event of a world that has only this one, for the first resource. */
const withEvent = (
  properties: NonNullable<World.WorldEvent["event"]["properties"]>,
  lastUpdate = now - hour,
): World.World => ({
  ...world,
  events: [
    {
      event: { id: "E", name: "E", properties },
      lastUpdate,
      subscriptions: [resource?.subscription ?? ""],
      resources: [resource?.uri ?? ""],
    },
  ],
})

const at = (time: number) => new Date(time).toISOString()

const statusOf = (one: World.World) => (resource === undefined ? {} : current(one, resource))

describe("the status of a resource", () => {
  it("names an active issue that affects it, and no issue otherwise", () => {
    const affected = world.resources.filter((one) => {
      const issues = issuesOf(world, one)
      const { availabilityState, healthEventId, reasonType } = current(world, one)
      const states = issues.length === 0 ? [] : ["Unavailable", "Degraded"]
      if (issues.length > 0) expect(states).toContain(availabilityState)
      if (issues.length > 0) expect(issues).toContain(healthEventId)
      expect(reasonType === "Unplanned").toBe(issues.length > 0)
      return issues.length > 0
    })
    expect(affected.length).toBeGreaterThan(20)
  })

  it("has every state and reason in a world with many resources", () => {
    const found = world.resources.map((one) => {
      const { availabilityState, reasonType, recentlyResolved } = current(world, one)
      return `${availabilityState}, ${reasonType}${recentlyResolved === undefined ? "" : "recently resolved"}`
    })
    expect([...new Set(found)].toSorted()).toEqual([
      "Available, ",
      "Available, recently resolved",
      "Degraded, Unplanned",
      "Unavailable, Customer Initiated",
      "Unavailable, Planned",
      "Unavailable, Unplanned",
      "Unavailable, User Initiated",
      "Unavailable, UserInitiated",
      "Unknown, ",
    ])
  })

  it.each([
    ["Unavailable", "Unplanned", { eventType: "ServiceIssue", status: "Active", eventLevel: "Error" }],
    ["Degraded", "Unplanned", { eventType: "serviceissue", status: "Active", eventLevel: "Warning" }],
    [
      "Unavailable",
      "Planned",
      { eventType: "PlannedMaintenance", impactStartTime: at(now - hour), impactMitigationTime: at(now + hour) },
    ],
  ])("is %s, %s during an event", (availabilityState, reasonType, properties) => {
    expect(statusOf(withEvent(properties))).toMatchObject({ availabilityState, reasonType, healthEventId: "E" })
    expect(statusOf(World.setNow(now - 2 * hour)(withEvent(properties)))).not.toMatchObject({ reasonType })
  })

  it("says for a day that an outage was resolved", () => {
    const outage = { eventType: "ServiceIssue", status: "Resolved", impactStartTime: at(now - 2 * hour) }
    const resolved = withEvent(outage)
    const recovery = { unavailableOccuredTime: "2026-01-15T10:00:00Z", resolvedTime: "2026-01-15T11:00:00Z" }
    const later = World.setNow(now + 23.5 * hour)(resolved)
    expect(statusOf(resolved)).toMatchObject({ availabilityState: "Available", recentlyResolved: recovery })
    expect(statusOf(later)).not.toHaveProperty("recentlyResolved")
  })

  it("is that of the parent for a child resource that an event of the parent impacts", () => {
    const parent = world.resources.find((one) => childrenOf(one).length > 0 && issuesOf(world, one).length > 0)
    const children = parent === undefined ? [] : childrenOf(parent)
    expect(children).toHaveLength(2)
    for (const child of children) expect(current(world, child).reasonType).toBe("Unplanned")
  })
})

describe("the history of a resource", () => {
  it("has the changes of four weeks, newest first, and only valid statuses", () => {
    for (const one of world.resources) {
      const statuses = history(world, one)
      expect(statuses[0]).toEqual(current(world, one))
      const times = statuses.map(({ occuredTime }) => Date.parse(occuredTime ?? ""))
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => b - a))
      expect(times.at(-1)).toBe(Date.UTC(2025, 11, 18))
      for (const properties of statuses) Result.getOrThrow(AvailabilityStatus.decode({ properties }))
    }
  })

  it("stays the same as time passes", () => {
    const later = World.setNow(now + 5 * hour)(world)
    for (const one of world.resources.slice(0, 50)) {
      const before = history(world, one).map(({ occuredTime }) => occuredTime)
      const after = history(later, one).map(({ occuredTime }) => occuredTime)
      expect(after.slice(-before.length)).toEqual(before)
    }
  })

  it("begins with the statuses that a test put, and those before them", () => {
    const uri = resource?.uri ?? ""
    const put = (availabilityState: string, time: number) =>
      World.putStatus(uri.toUpperCase(), { availabilityState, occuredTime: at(time) })
    const changed = put("Degraded", now)(put("Unknown", now - 24 * hour)(world))
    const [first, second, ...others] = resource === undefined ? [] : history(changed, resource)
    expect([first?.availabilityState, second?.availabilityState]).toEqual(["Degraded", "Unknown"])
    expect(others.length).toBeGreaterThan(5)
    for (const { occuredTime } of others) expect(Date.parse(occuredTime ?? "")).toBeLessThan(now - 24 * hour)
    expect(statusOf(changed)).toEqual(first)
  })
})

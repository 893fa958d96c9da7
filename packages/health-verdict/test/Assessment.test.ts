import type { AvailabilityStatus } from "@vigil/health-schema/AvailabilityStatus"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import type { Timestamp } from "@vigil/health-schema/Timestamp"
import * as Assessment from "@vigil/health-verdict/Assessment"
import { describe, expect, it } from "vitest"

const now = Date.UTC(2026, 2, 10, 12)
const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString() as Timestamp

const resource = "/subscriptions/s1/resourceGroups/shop/providers/Vendor.Compute/virtualMachines/web-1"

const status = (properties: AvailabilityStatus["properties"] = {}): AvailabilityStatus => ({
  id: `${resource}/providers/Vendor.ResourceHealth/availabilityStatuses/current`,
  location: "westeurope",
  properties: { availabilityState: "Available", occuredTime: ago(90), reportedTime: ago(0), ...properties },
})

const event = (id: string, eventStatus = "Active"): AnyEvent => ({
  id,
  name: "AB12",
  properties: { eventType: "ServiceIssue", status: eventStatus, title: "An outage", impactStartTime: ago(3) },
})

const ofSubscription = event("/subscriptions/s1/providers/Vendor.ResourceHealth/events/AB12")
const ofResource = event(`${resource.toUpperCase()}/providers/Vendor.ResourceHealth/events/AB12`)
const stopped = { availabilityState: "Unavailable", reasonType: "UserInitiated" } as const

describe("a status", () => {
  it.each<readonly [string, AvailabilityStatus["properties"], ReadonlyArray<AnyEvent>, string, string, string]>([
    ["is fine", {}, [], "Available", "none", ""],
    ["of three days ago is not checked", { reportedTime: ago(72) }, [], "Unknown", "unknown", "checked 3 d ago"],
    ["without a check is not checked", { reportedTime: null }, [], "Unknown", "unknown", "not checked"],
    [
      "with an active incident may be affected",
      { serviceImpactingEvents: [{ status: { value: "Active" } }] },
      [],
      "Available",
      "unknown",
      "perhaps platform",
    ],
    [
      "that the platform moved an hour ago",
      { context: "Platform Initiated", category: "Planned", occuredTime: ago(1) },
      [],
      "Available",
      "maintenance",
      "maintenance, until recently",
    ],
    ["that its owner stopped", stopped, [], "Unavailable", "customer", "own action (UserInitiated)"],
    [
      "that its owner stopped, and an event of it is active",
      stopped,
      [ofResource],
      "Unavailable",
      "platform",
      "platform, and own action (UserInitiated)",
    ],
    ["that names an active event", { healthEventId: "ab12" }, [ofSubscription], "Available", "platform", "platform"],
    [
      "that names an event that ended",
      { healthEventId: "AB12" },
      [event("/x", "Resolved")],
      "Available",
      "platform",
      "platform, until recently",
    ],
    ["that no event names", {}, [ofSubscription], "Available", "none", ""],
    ["that an event without an ID does not name", {}, [{ ...ofSubscription, name: null }], "Available", "none", ""],
    ["of a new state", { availabilityState: "Paused" as never }, [], "Other", "unknown", "unknown"],
  ])("%s", (_, properties, events, state, verdict, reason) => {
    const one = Assessment.make(now, { events, isComplete: true })(status(properties))
    expect([one.state, one.verdict, Assessment.reason(one, now)]).toEqual([state, verdict, reason])
  })

  it("that its owner stopped says so if not all is known", () => {
    expect(Assessment.reason(Assessment.make(now)(status(stopped)), now)).toBe(
      "own action, perhaps more (UserInitiated)",
    )
  })

  it("is fine if nothing is wrong, or what was wrong has ended", () => {
    const assess = Assessment.make(now, { events: [event(ofResource.id ?? "", "Resolved")], isComplete: true })
    const other = { ...status(), id: status().id?.replace("web-1", "web-2") ?? null }
    const incident = {
      ...other,
      ...status({ serviceImpactingEvents: [{ status: { value: "Active" } }] }),
      id: other.id,
    }
    const all = [status(), other, incident, status(stopped)].map(assess)
    expect(all.map(Assessment.isFine)).toEqual([true, true, false, false])
    expect(all.map(Assessment.isAffected)).toEqual([false, false, true, false])
    expect(all.map(Assessment.isStopped)).toEqual([false, false, false, true])
  })

  const server = resource.replace("Compute/virtualMachines/web-1", "Sql/servers/a")
  const region = { impactedService: "SQL Database", impactedRegions: [{ impactedRegion: "West Europe" }] }

  it.each<readonly [string, Assessment.Lists, string]>([
    ["was not read", { isComplete: false }, "unknown"],
    ["has all events", { isComplete: true }, "customer"],
    [
      "has an active event of the region",
      {
        events: [{ ...ofSubscription, properties: { ...ofSubscription.properties, impact: [region] } }],
        isComplete: true,
      },
      "unknown",
    ],
    [
      "has an event of what contains it",
      { events: [event(`${server}/providers/Vendor.ResourceHealth/events/AB12`)], isComplete: true },
      "platform",
    ],
    [
      "has an event of what is in it",
      { events: [event(`${server}/databases/b/c/d/providers/Vendor.ResourceHealth/events/AB12`)], isComplete: true },
      "unknown",
    ],
  ])("that its owner stopped, if the list of events %s", (_, lists, verdict) => {
    const database = {
      ...status(stopped),
      id: `${server}/databases/b/providers/Vendor.ResourceHealth/availabilityStatuses/current`,
    }
    const one = Assessment.make(now, lists)(database)
    expect([one.verdict, Assessment.isStopped(one)]).toEqual([verdict, verdict === "customer"])
  })

  const outage = (name: string, subscription = "s1"): AnyEvent => ({
    ...ofSubscription,
    id: `/subscriptions/${subscription}/providers/Vendor.ResourceHealth/events/${name}`,
    name,
    properties: { ...ofSubscription.properties, impact: [{ ...region, impactedService: "VM" }] },
  })
  const read = (...ids: ReadonlyArray<string>) => ({
    items: ids.map((targetResourceId) => ({ properties: { targetResourceId } })),
    invalid: 0,
  })
  const vm = { displayName: "VM", resourceTypes: ["Vendor.Compute/virtualMachines"] }
  const down = { availabilityState: "Unavailable" } as const
  const metadata = [{ properties: { supportedValues: [vm] } }]

  it.each<readonly [string, AvailabilityStatus["properties"], Assessment.Lists, ReadonlyArray<unknown>]>([
    ["explains one that is down", down, {}, ["platform", "service"]],
    ["explains nothing of one that is available", {}, {}, ["none", undefined]],
    ["explains nothing of one that was available", { reportedTime: ago(48) }, {}, ["unknown", undefined]],
    ["may explain an unknown state", { availabilityState: "Unknown" }, {}, ["unknown", "service"]],
    [
      "may explain one that is down if it lists others",
      down,
      { impacted: new Map([["ab12", read(server)]]) },
      ["unknown", "peers"],
    ],
    ["may explain one that is down if its list was not read", down, { impacted: new Map() }, ["unknown", "region"]],
    ["may explain one that is down without metadata", down, { metadata: undefined }, ["unknown", "region"]],
    [
      "of another subscription explains nothing",
      down,
      {
        subscriptions: [
          { id: "S1", events: [] },
          { id: "s2", events: [outage("AB12", "s2")] },
        ],
      },
      ["unknown", undefined],
    ],
    ["is not the cause of what its owner stopped", stopped, {}, ["customer", "resource"]],
    [
      "is perhaps not the only one if not all active events of the subscription are known",
      stopped,
      { events: undefined, subscriptions: [{ id: "s1", events: [outage("AB12")], isComplete: false }] },
      ["unknown", "resource"],
    ],
    [
      "may be the cause of what its owner stopped without metadata",
      stopped,
      { metadata: undefined },
      ["unknown", "resource"],
    ],
  ])("and an outage of its service and region that names nothing: %s", (_, properties, lists, expected) => {
    const known = {
      events: [outage("AB12")],
      impacted: new Map([["ab12", read()]]),
      metadata,
      isComplete: true,
      ...lists,
    }
    const { evidence, verdict } = Assessment.make(now, known)(status(properties))
    expect([verdict, evidence?.subject]).toEqual(expected)
  })

  it("that its owner stopped is not alone if the status of another resource names an outage of the region", () => {
    const assess = Assessment.make(now, { events: [outage("AB12")], metadata, isComplete: true })
    const other = { ...status({ ...down, healthEventId: "AB12" }), id: status().id?.replace("web-1", "web-2") ?? null }
    expect([other, status(stopped)].map((one) => assess(one).verdict)).toEqual(["platform", "unknown"])
  })

  it.each<readonly [string, Assessment.Lists["impacted"]]>([
    ["was not read", undefined],
    ["was not read to its end", new Map([["cd34", { ...read(server), problem: "No." }]])],
    ["has an invalid entry", new Map([["cd34", { ...read(server), invalid: 1 }]])],
    ["has an entry without an ID", new Map([["cd34", read("")]])],
  ])("that its owner stopped is perhaps not alone if the list of an outage of another region %s", (_, impacted) => {
    const { properties, ...event } = outage("CD34")
    const impact = [{ impactedService: "VM", impactedRegions: [{ impactedRegion: "East US" }] }]
    const events = [{ ...event, properties: { ...properties, impact } }]
    const verdictOf = (lists: Assessment.Lists) =>
      Assessment.make(now, { events, metadata, isComplete: true, ...lists })(status(stopped)).verdict
    expect(verdictOf({ impacted })).toBe("unknown")
    expect(verdictOf({ impacted: new Map([["cd34", read(server)]]) })).toBe("customer")
  })

  it("has an event that has a record for each of several resources", () => {
    const records = [ofResource, { ...ofResource, id: ofResource.id?.replace(/web-1/i, "web-2") ?? null }]
    for (const events of [records, records.toReversed()])
      expect(Assessment.make(now, { subscriptions: [{ id: "s1", events }] })(status()).verdict).toBe("platform")
  })

  it("has the latest of several events that name it, whatever their order", () => {
    const older = { ...ofResource, name: "AB12" }
    const newer = { ...older, name: "CD34", properties: { ...older.properties, impactStartTime: ago(2) } }
    for (const events of [
      [older, newer],
      [newer, older],
    ])
      expect(Assessment.trackingId(Assessment.make(now, { events })(status()))).toBe("CD34")
  })

  it("that its owner stopped counts as down if the service has not checked it for a day", () => {
    const old = status({ ...stopped, reportedTime: ago(192) })
    const one = Assessment.make(now, { isComplete: true })(old)
    expect([Assessment.isStopped(one), Assessment.who(one, now)]).toEqual([false, "perhaps own action"])
  })

  it("has the event of its evidence, or else the one that it names", () => {
    const idOf = (healthEventId: string, events: ReadonlyArray<AnyEvent> = []) =>
      Assessment.trackingId(
        Assessment.make(now, { events })(status({ availabilityState: "Unavailable", healthEventId })),
      )
    expect(idOf("")).toBeUndefined()
    expect(idOf("XY99")).toBe("XY99")
    expect(idOf("XY99", [ofResource])).toBe("AB12")
  })
})

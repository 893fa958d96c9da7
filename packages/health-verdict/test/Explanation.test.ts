import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import type { Metadata } from "@vigil/health-schema/Metadata"
import type { Timestamp } from "@vigil/health-schema/Timestamp"
import type { Reading, Readings } from "@vigil/health-verdict/Evidence"
import * as Explanation from "@vigil/health-verdict/Explanation"
import * as Property from "@vigil/testing/property"
import { ago, available, calm, complete, event, list, past, resource, services, status } from "@vigil/testing/readings"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

const regions = list<Metadata>(...services.items, {
  name: "Region",
  properties: {
    supportedValues: ["West Europe", "Mars 2", "Europe", "Global"].map((displayName) => ({ displayName })),
  },
})

const network = resource.replace(/Compute.*/, "Network/virtualNetworks/main")

/** In one of two regions, an investigation found that nothing happened. */
const falseIn = (region: string) => ({
  impact: [
    {
      impactedService: "Virtual Machines",
      impactedRegions: ["North Europe", "West Europe"].map((impactedRegion) => ({
        impactedRegion,
        updates: [{ updateDateTime: ago(1), eventTags: impactedRegion === region ? ["False Positive" as const] : [] }],
      })),
    },
  ],
})

const readings = (some: Partial<Readings> = {}): Readings => ({ ...calm, ...some })

const verdict = (some: Partial<Readings>) => Explanation.make(readings(some)).verdict

/** Of the resource, and of an event that names no resources. */
interface Surroundings {
  readonly type?: string
  readonly location?: string | null
  readonly service?: string
  readonly region?: string
  readonly state?: "Available" | "Unavailable"
  readonly impacted?: Reading<ImpactedResource>
  readonly metadata?: Readings["metadata"]
}

describe("the verdict", () => {
  it.each([
    [{ reasonType: "Unplanned" }, "platform"],
    [{ reasonType: "Planned" }, "maintenance"],
    [{ reasonType: "UserInitiated" }, "customer"],
    [{ reasonType: "Customer Initiated" }, "customer"],
    [{ context: "VM Initiated", category: "Unplanned" }, "customer"],
    [{ context: "Platform Initiated", category: "Planned" }, "maintenance"],
    [{ context: "platform initiated", category: "Not Applicable" }, "platform"],
    [{ reasonType: "Customer Initiated", healthEventCause: "PlatformInitiated" }, "platform"],
    [{ context: "Customer Initiated", healthEventCause: "PlatformInitiated" }, "customer"],
    [{ reasonType: "UserInitiated", serviceImpactingEvents: [{ status: { value: "Active" } }] }, "customer"],
    [{ availabilityState: "Available", serviceImpactingEvents: [{ status: { value: "Active" } }] }, "unknown"],
    [{ availabilityState: "Available", serviceImpactingEvents: [{ status: { value: "Completed" } }] }, "unknown"],
    [{ availabilityState: "Available", serviceImpactingEvents: [{ eventStartTime: ago(-24) }] }, "none"],
    [{ availabilityState: "Available", healthEventId: "AB12" }, "unknown"],
    [{ reasonType: "Unplanned", reportedTime: ago(72) }, "unknown"],
    [{ reasonType: "", context: "Not Applicable", category: "Not Applicable" }, "unknown"],
    [{ availabilityState: "Impaired", reasonType: "unplanned" }, "platform"],
    [{ availabilityState: null, reasonType: null }, "unknown"],
    [{ availabilityState: "Available", reasonType: "Customer Initiated" }, "none"],
    [{ availabilityState: "Available", context: "Platform Initiated", category: "Planned" }, "maintenance"],
    [{ availabilityState: "Available", reasonType: "Unplanned" }, "platform"],
    [{ availabilityState: "Available", reasonType: "Unplanned", occuredTime: ago(25) }, "none"],
    [{ availabilityState: "Available", reasonType: "Unplanned", occuredTime: null }, "none"],
  ] as const)("on a status with %j is %s", (properties, expected) => {
    expect(verdict({ current: list(status(properties)) })).toBe(expected)
  })

  it.each([
    ["an issue with a mitigation time that is not resolved", { impactMitigationTime: ago(30) }, "platform"],
    ["an unknown status and type", { status: "InProgress", eventType: "New" }, "platform"],
    ["a resolution a day ago", { status: "Resolved", impactStartTime: ago(30), impactMitigationTime: ago(25) }, "none"],
    ["a resolution an hour ago", { status: "Resolved", impactMitigationTime: ago(1) }, "platform"],
    ["a resolution without a time", { status: "Resolved", lastUpdateTime: null }, "platform"],
    ["maintenance without an end", { eventType: "PlannedMaintenance" }, "maintenance"],
    ["maintenance tomorrow", { eventType: "PlannedMaintenance", impactStartTime: ago(-24) }, "none"],
    ["an advisory", { eventType: "HealthAdvisory" }, "none"],
    ["a review of an outage of today", { eventType: "RCA", impactMitigationTime: ago(2) }, "platform"],
    [
      "a review of an outage of last week",
      { eventType: "RCA", impactStartTime: ago(170), impactMitigationTime: ago(168) },
      "none",
    ],
    [
      "an event that its owner began, and it is available",
      { eventSource: "ResourceHealth", platformInitiated: false },
      "unknown",
    ],
    ["an event that proved false", { eventTags: ["False Positive"] }, "none"],
    ["an event that proved false, in other letters", { eventTags: ["Final PIR", "FALSE-POSITIVE"] }, "none"],
    ["an event with another tag", { eventTags: ["Not a False Positive"] }, "platform"],
    ["an event that proved false in the region", falseIn("West Europe"), "none"],
    ["an event that proved false in another region", falseIn("North Europe"), "platform"],
    ["cancelled maintenance", { eventType: "PlannedMaintenance", status: "Canceled" }, "none"],
    ["an issue with a start to come", { impactStartTime: ago(-3) }, "unknown"],
    [
      "maintenance that was resolved two days ago, before its end",
      { eventType: "PlannedMaintenance", status: "Resolved", impactMitigationTime: ago(-100), lastUpdateTime: ago(48) },
      "none",
    ],
    ["mitigated before it began", { status: "Resolved", impactMitigationTime: ago(100) }, "platform"],
  ] as const)("on an event of the resource, %s, is right", (_, properties, expected) => {
    expect(verdict({ ownEvents: list(event("A", properties)) })).toBe(expected)
  })

  it("takes the active one of two versions of an event", () => {
    const resolved = event("a", { status: "Resolved", impactMitigationTime: ago(40) })
    expect(verdict({ ownEvents: list(resolved), subscriptionEvents: list(event("A")) })).toBe("platform")
  })

  it.each<readonly [string, Surroundings["service"], string, "Available" | "Unavailable", "none" | "unknown"]>([
    ["others of its type", "Network Infrastructure", `${resource}0`, "Available", "none"],
    ["others, and it is down", "Network Infrastructure", `${resource}0`, "Unavailable", "unknown"],
    ["a network of another group", "Virtual Network", network.replace("shop", "hub"), "Available", "none"],
    ["a network of its group", "Virtual Network", network, "Available", "unknown"],
    ["its group", "Network Infrastructure", resource.replace(/\/providers.*/, ""), "Available", "unknown"],
    ["one with its name", "Network Infrastructure", resource.replace("shop", "old"), "Available", "unknown"],
    ["others, of its service under another name", "Microsoft Virtual Machines", `${resource}0`, "Available", "unknown"],
    ["others, of a service that the metadata lacks", "Machines", `${resource}0`, "Available", "unknown"],
  ])(
    "on an active event of a shared service that names %s is right",
    (_, service, targetResourceId, state, expected) => {
      const explained = Explanation.make(
        readings({
          current: list(status({ availabilityState: state })),
          subscriptionEvents: list(event("A", {}, service)),
          impacted: new Map([["a", list({ properties: { targetResourceId } })]]),
        }),
      )
      expect([explained.verdict, explained.suspect !== undefined]).toEqual([expected, expected === "unknown"])
    },
  )

  it.each<readonly [string, Surroundings, Explanation.Explanation["verdict"]]>([
    ["an event of its service", {}, "unknown"],
    ["an event of its service, and it is down", { state: "Unavailable" }, "platform"],
    ["an event of its service, everywhere", { region: "Global", state: "Unavailable" }, "platform"],
    [
      "an event of its service in a stage of the region",
      { region: "West Europe (Stage)", state: "Unavailable" },
      "platform",
    ],
    ["an event of two regions in one name", { region: "East US/West Europe", state: "Unavailable" }, "platform"],
    ["an event of a geography", { region: "Europe", state: "Unavailable" }, "unknown"],
    [
      "an event that names others of its service",
      { state: "Unavailable", impacted: list({ properties: { targetResourceId: `${resource}0` } }) },
      "unknown",
    ],
    [
      "an event that names its group",
      {
        region: "East US",
        impacted: list({ properties: { targetResourceId: "/subscriptions/s1/resourceGroups/shop" } }),
      },
      "none",
    ],
    [
      "an event of another region that names it",
      { region: "East US", impacted: list({ properties: { targetResourceId: resource } }) },
      "platform",
    ],
    [
      "an event that names a lock on it",
      {
        region: "East US",
        impacted: list({ properties: { targetResourceId: `${resource}/providers/Vendor.Authorization/locks/a` } }),
      },
      "none",
    ],
    [
      "an event that names what is in it",
      { region: "East US", impacted: list({ properties: { targetResourceId: `${resource}/extensions/a` } }) },
      "platform",
    ],
    [
      "an event that is over for it",
      { impacted: list({ properties: { targetResourceId: resource, info: [{ key: "Status", value: "Completed" }] } }) },
      "platform",
    ],
    ["an event of its service in an unknown region", { region: "" }, "unknown"],
    ["an event and a resource of unknown regions", { region: "", location: "" }, "unknown"],
    ["an event of another region", { region: "East US" }, "none"],
    ...["EU West", "AZ02 West Europe", "Zone 2 in West Europe", "Westeuropa", "North Europe and another one"].map(
      (region) => [`an event of ${region}`, { region }, "unknown"] as const,
    ),
    ...["North Europe (failed over to West Europe)", "Middle East", "East US 1", "North"].map(
      (region) => [`an event of ${region}`, { region }, "unknown"] as const,
    ),
    ["an event of two regions, one of them its own", { region: "North Europe | West Europe" }, "unknown"],
    ["an event of two other regions", { region: "North Europe | JAPAN-EAST" }, "none"],
    ["an event of a region of this service", { region: "Mars 2", metadata: regions }, "none"],
    ["an event of a region that this service may not have", { region: "Mars 3", metadata: regions }, "unknown"],
    ["an event of several regions of this service", { region: "Europe", metadata: regions }, "unknown"],
    ["an event of another region, and its own region is unknown", { region: "East US", location: null }, "unknown"],
    ["an event of another service", { service: "SQL Database" }, "none"],
    ["an event of a service without types", { service: "Network Infrastructure" }, "unknown"],
    ["an event of a service that the metadata does not have", { service: "Things" }, "unknown"],
    ["a type that the metadata does not have", { type: "New/things" }, "unknown"],
    [
      "a resource in one of the type",
      { type: "Compute/virtualMachines/web-1/extensions", state: "Unavailable" },
      "platform",
    ],
    ["no metadata", { metadata: { ...list(), problem: "403" } }, "unknown"],
    ["impacted resources that could not be read", { impacted: { ...list(), problem: "403" } }, "unknown"],
    ["an impacted resource without an ID", { impacted: list({ properties: { targetResourceId: null } }) }, "unknown"],
  ])(
    "on an active event that names no resources is right with %s",
    (
      _,
      { impacted = list(), location = "westeurope", metadata = services, region, service, state = "Available", type },
      expected,
    ) => {
      const some = {
        resource: type ? resource.replace("Compute/virtualMachines", type) : resource,
        current: list({ ...status({ availabilityState: state }), location }),
        subscriptionEvents: list(event("A", {}, service, region)),
        impacted: new Map([["a", impacted]]),
        metadata,
      }
      expect(verdict(some)).toBe(expected)
    },
  )

  it("takes the name of an event in the status before the resource that the event is of", () => {
    const other = { ...event("A"), id: resource.replace("web-1", "web-2/providers/Vendor.ResourceHealth/events/A") }
    const current = list(status({ availabilityState: "Available", healthEventId: "a" }))
    expect(verdict({ current, subscriptionEvents: list(other) })).toBe("platform")
  })

  it("believes the status about who began the event that it names", () => {
    const own = event("A", { eventSource: "ResourceHealth", platformInitiated: false })
    const current = list(status({ healthEventId: "A", healthEventCause: "PlatformInitiated" }))
    const { because, evidence } = Explanation.make(readings({ ownEvents: list(own), current }))
    expect(because).toMatchObject({ cause: "platform", trackingId: "A", title: "Event A" })
    expect(evidence).toHaveLength(1)
  })

  it("takes an event of its owner only if the resource is down", () => {
    const own = event("A", { eventSource: "ResourceHealth", platformInitiated: false })
    expect(verdict({ ownEvents: list(own), current: list(status({})) })).toBe("customer")
  })

  it.each([
    [{ reasonType: "Unplanned" }, "platform"],
    [{ reasonType: "Unplanned", reportedTime: ago(30) }, "unknown"],
    [{}, "unknown"],
    [{ reasonType: "UserInitiated" }, "none"],
    [{ availabilityState: "Available" }, "none"],
  ] as const)("on a status of what is in it with %j is %s", (properties, expected) => {
    expect(verdict({ children: list({ ...status(properties), id: `${resource}/extensions/a` }) })).toBe(expected)
  })

  it("takes the record in the region of two with one tracking ID", () => {
    const records = ["East US", "West Europe"].map((region) => event("A", {}, "Virtual Machines", region))
    const current = list(status({}))
    const impacted = new Map([["a", list()]])
    expect(verdict({ current, subscriptionEvents: list(...records), impacted })).toBe("platform")
  })

  it("sees an outage that began while the statuses were read", () => {
    const outage = status({ occuredTime: ago(0), reasonType: "Unplanned" })
    expect(verdict({ history: past(outage, available) })).toBe("platform")
  })

  it.each([
    ["checked an hour ago", { reportedTime: ago(1) }, "platform"],
    ["checked two days ago", { occuredTime: ago(50), reportedTime: ago(48) }, "none"],
    ["that began two days ago, and whose check is unknown", { occuredTime: ago(48), reportedTime: null }, "none"],
    ["of its owner, checked an hour ago", { reasonType: "UserInitiated", reportedTime: ago(1) }, "none"],
    ["of its owner, checked now", { reasonType: "UserInitiated", reportedTime: ago(0.1) }, "customer"],
  ] as const)("on a resource that is available since before its outage %s, is right", (_, properties, expected) => {
    const outage = status({ reasonType: "Unplanned", ...properties })
    for (const history of [past(outage, available), past(available, outage)])
      expect(verdict({ history })).toBe(expected)
  })

  const window = (start: number, end: number) => ({ maintenanceStartTime: ago(start), maintenanceEndTime: ago(end) })
  const inInfo = (fields: Readonly<Record<string, string>>) => ({
    info: Object.entries(fields).map(([key, value]) => ({ key, value })),
  })

  it.each<readonly [string, number, ImpactedResource["properties"], Explanation.Explanation["verdict"]]>([
    ["tomorrow", 1, window(-24, -26), "none"],
    ["tomorrow, in another form", 1, inInfo(window(-24, -26)), "none"],
    ["that ended an hour ago", 100, window(2, 1), "maintenance"],
    ["that ended two days ago", 100, window(50, 48), "none"],
    ["under way, before the window", -5, window(1, -1), "maintenance"],
    ["under way, said to be scheduled", 1, { ...window(1, -1), status: "Scheduled" }, "maintenance"],
    ["that is complete", 1, { ...window(1, -1), status: "Completed" }, "maintenance"],
    ["that was cancelled", 1, { ...window(1, -1), status: "Cancelled" }, "none"],
    ["with an end before its start", 1, window(-26, -24), "maintenance"],
    ["without times", 1, { maintenanceStartTime: "", maintenanceEndTime: null }, "maintenance"],
  ])("on maintenance of the resource itself %s is right", (_, start, times, expected) => {
    const eventType = "PlannedMaintenance"
    const span = { impactStartTime: ago(start), impactMitigationTime: ago(-100) }
    const impacted = new Map([["a", list({ properties: { targetResourceId: resource, ...times } })]])
    const subscriptionEvents = list(event("A", { eventType, ...span }))
    expect(verdict({ subscriptionEvents, impacted })).toBe(expected)
    expect(Explanation.toCompare(readings({ subscriptionEvents }))).toHaveLength(1)
  })

  it.each([
    [{}, true],
    [{ availabilityState: "Degraded" }, true],
    [{ availabilityState: "Unknown" }, false],
    [{ availabilityState: "Available" }, false],
  ] as const)("on a status with %j without a cause says whether it is ongoing", (properties, expected) => {
    expect(Explanation.isOngoing(Explanation.make(readings({ current: list(status(properties)) })))).toBe(expected)
  })

  it.each([
    ["Active", "unknown"],
    ["Resolving", "unknown"],
    ["Resolve", "none"],
    ["RESOLVE", "none"],
    ["Archived", "none"],
  ] as const)("on an emerging issue of the stage %s is %s", (stage, expected) => {
    const issue = { stage, lastModifiedTime: ago(2), impacts: [{ name: "Virtual Machines" }] } as const
    expect(verdict({ emergingIssues: list({ properties: { statusActiveEvents: [issue as never] } }) })).toBe(expected)
  })

  it("takes the worst of several statuses with one time", () => {
    const times = { occuredTime: ago(2), reportedTime: ago(0) }
    const current = list(status({ ...times, availabilityState: "Available" }))
    const outage = status({ ...times, reasonType: "Unplanned" })
    const stopped = status({ ...times, availabilityState: "Degraded", reasonType: "UserInitiated" })
    for (const history of [past(outage, stopped), past(stopped, outage)])
      expect(Explanation.make(readings({ current, history }))).toMatchObject({ verdict: "platform", status: outage })
  })

  it("takes the latest status of the history if the current one could not be read", () => {
    const current = { items: [], invalid: 0, problem: "502" }
    const outage = status({ reasonType: "Unplanned" })
    expect(Explanation.make(readings({ current, history: past(outage, available) }))).toMatchObject({
      verdict: "platform",
      because: { sources: ["history"], phase: "now" },
      unread: [{ source: "current status", problem: "502" }],
    })
    expect(verdict({ current, history: past(status({ reasonType: "UserInitiated" }), available) })).toBe("unknown")
  })

  it.each([ago(25), ago(-25), "", null] as const)("is not none for a status of %s", (reportedTime) => {
    const current = status({ availabilityState: "Available", reportedTime: reportedTime as Timestamp | null })
    expect(verdict({ current: list(current) })).toBe("unknown")
  })
})

const kept = FastCheck.double({ min: 0, max: 1, noNaN: true })

/** Only the first entries of a list: the others were not read, or are invalid. */
const cut = ({ items }: Reading<object> = list(), share: number, isInvalid: boolean): Reading<object> => ({
  items: items.slice(0, Math.floor(items.length * share)),
  ...(isInvalid ? { invalid: 1 } : { invalid: 0, problem: "502" }),
})

const names = [
  "current",
  "history",
  "children",
  "ownEvents",
  "subscriptionEvents",
  "tenantEvents",
  "emergingIssues",
] as const

describe("missing evidence", () => {
  Property.sync(
    "never becomes an answer that clears the platform",
    [complete, FastCheck.constantFrom(...names), kept, FastCheck.boolean()],
    ([all, name, share, isInvalid]) => {
      const { evidence, suspect, unread, verdict } = Explanation.make({
        ...all,
        [name]: cut(all[name], share, isInvalid),
      })
      expect(unread).not.toEqual([])
      expect(["platform", "maintenance", "unknown"]).toContain(verdict)
      const isNamed = evidence.some(
        ({ cause, phase, subject }) => subject === "resource" && phase === "now" && /platform|maintenance/.test(cause),
      )
      // An own stop during a window of maintenance is the likely cause, and that is not certain.
      if (isNamed && verdict === "unknown") expect(suspect).toMatchObject({ cause: "customer" })
    },
  )

  Property.sync("of the impacted resources of an event never clears the platform", [complete], ([all]) => {
    const before = Explanation.make(all)
    const after = Explanation.make({ ...all, impacted: new Map() })
    if (after.unread.length > 0) expect(["none", "customer"]).not.toContain(after.verdict)
    else expect(after.verdict).toBe(before.verdict)
  })

  Property.sync("never hides a list that names the resource as impacted now", [complete], ([all]) => {
    const ownEvents = list(...all.ownEvents.items, event("Now"))
    for (const some of [{}, Object.fromEntries(names.map((name) => [name, { items: [], invalid: 0, problem: "502" }]))])
      expect(["platform", "maintenance"]).toContain(Explanation.make({ ...all, ...some, ownEvents }).verdict)
  })
})

it("counts the invalid entries of all events that it compared", () => {
  const { unread } = Explanation.make(
    readings({
      subscriptionEvents: list(event("A"), event("B")),
      impacted: new Map(["a", "b"].map((id) => [id, { ...list(), invalid: 1 }])),
    }),
  )
  expect(unread).toContainEqual({ source: "impacted resources", problem: "2 entries could not be read.", invalid: 2 })
})

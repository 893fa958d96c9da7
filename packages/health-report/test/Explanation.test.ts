import type { Reading, Readings } from "@vigil/health-report/Evidence"
import * as Explanation from "@vigil/health-report/Explanation"
import * as ExplanationText from "@vigil/health-report/ExplanationText"
import type { AvailabilityStatus } from "@vigil/health-schema/AvailabilityStatus"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import type { Timestamp } from "@vigil/health-schema/Timestamp"
import * as Property from "@vigil/testing/property"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

const resource = "/subscriptions/s1/resourceGroups/shop/providers/Vendor.Compute/virtualMachines/web-1"
const now = Date.UTC(2026, 2, 10, 12)
const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString() as Timestamp

const list = <A = never>(...items: ReadonlyArray<A>): Reading<A> => ({ items, invalid: 0 })

const status = (properties: AvailabilityStatus["properties"]): AvailabilityStatus => ({
  location: "westeurope",
  properties: { availabilityState: "Unavailable", occuredTime: ago(2), reportedTime: ago(0), ...properties },
})

const available = status({ availabilityState: "Available", occuredTime: ago(90) })

/** A history. Its entries need the ID of the resource. */
const past = (...statuses: ReadonlyArray<AvailabilityStatus>): Reading<AvailabilityStatus> =>
  list(...statuses.map((one) => ({ ...one, id: resource })))

const event = (
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

const services: Readings["metadata"] = list({
  properties: {
    supportedValues: [
      { displayName: "Virtual Machines", resourceTypes: ["Vendor.Compute/virtualMachines"] },
      { displayName: "SQL Database", resourceTypes: ["Vendor.Sql/servers"] },
      { displayName: "Network Infrastructure", resourceTypes: [] },
    ],
  },
})

const readings = (some: Partial<Readings> = {}): Readings => ({
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
  impacted: new Map(),
  metadata: services,
  ...some,
})

const verdict = (some: Partial<Readings>) => Explanation.make(readings(some)).verdict

const layout = {
  width: 80,
  color: false,
  showEvent: ({ days, list, trackingId }: ExplanationText.ShownEvent) => `show ${trackingId} of ${list}, ${days} d`,
  showResource: "show web-1",
  subscription: "Production",
}

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

/** Readings with any statuses and events, all of them complete. */
const complete = FastCheck.record({
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
  return readings({
    current: current ? list(current) : list(),
    history: past(...history),
    ownEvents: list(...made.filter(({ isOwn }) => isOwn).map(({ event }) => event)),
    subscriptionEvents: list(...made.map(({ event }) => event)),
    impacted: new Map(made.map(({ event, isListed }) => [event.name.toLowerCase(), targets(isListed)])),
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

  Property.sync("is said in the answer", [complete, FastCheck.constantFrom(...names)], ([all, name]) => {
    const explanation = Explanation.make({ ...all, [name]: cut(all[name], 1, false) })
    expect(ExplanationText.headline(explanation)).not.toMatch(/Nothing known|^Your own action/)
    const lines = ExplanationText.lines(explanation, layout)
    expect(lines).toContain("Not read")
  })
})

const lineOf = (explanation: Explanation.Explanation, start: string) =>
  ExplanationText.lines(explanation, { ...layout, width: 200 }).find((line) => line.startsWith(start))

describe("the answer", () => {
  it.each([
    [
      status({ reasonType: "UserInitiated", summary: "A user stopped it." }),
      "The resource is Unavailable, checked 1 min ago. But the status of the resource says: A user stopped it.",
    ],
    [available, "But the status says Available, checked 1 min ago."],
  ])("on an event of the platform says what the status says instead", (current, contrast) => {
    const ownEvents = list(event("A", { title: "Active: An outage" }))
    const explanation = Explanation.make(readings({ current: list(current), ownEvents }))
    expect(ExplanationText.headline(explanation)).toBe(`The platform: An outage, event began 3 h ago. ${contrast}`)
  })

  it("is unknown for the state Unknown, and says that nothing says why", () => {
    const current = list(status({ availabilityState: "Unknown" }))
    expect(ExplanationText.headline(Explanation.make(readings({ current })))).toBe(
      "Unknown. The state is Unknown, checked 1 min ago, and nothing says why.",
    )
  })

  it("on maintenance names it once", () => {
    const ownEvents = list(event("A", { eventType: "PlannedMaintenance", title: "Planned maintenance: an update" }))
    const current = list(status({ reasonType: "Planned", healthEventId: "A" }))
    expect(ExplanationText.headline(Explanation.make(readings({ current, ownEvents })))).toBe(
      "Planned maintenance: an update, for 3 h. The resource is Unavailable, checked 1 min ago.",
    )
  })

  it("on an own action says what may concern the resource, too, but no notice", () => {
    const advisory = event("A", { eventType: "HealthAdvisory", title: "A quota" })
    const screen = (some: Partial<Readings>) =>
      ExplanationText.lines(
        Explanation.make(
          readings({ current: list(status({ reasonType: "UserInitiated" })), ownEvents: list(advisory), ...some }),
        ),
        { ...layout, width: undefined },
      ).join("\n")
    const alone = screen({})
    expect(alone).toMatch(/^Your own action: .*It is named by: A quota/)
    expect(alone).not.toMatch(/may not be alone|^Impact/m)
    expect(screen({ subscriptionEvents: list(event("B")), impacted: new Map([["b", list()]]) })).toMatch(
      /It may not be alone: Event B, event began 3 h ago\./,
    )
  })

  it("leads to a command alone on its line", () => {
    const current = list(status({ reasonType: "UserInitiated" }))
    const explanation = Explanation.make(readings({ current, ownEvents: list(event("A")) }))
    expect(ExplanationText.lines(explanation, layout).join("\n")).toMatch(
      /^Next {18}show A of resource, 90 d\n {22}or find who changed the resource, /m,
    )
  })

  it("does not lead to maintenance of tomorrow", () => {
    const ownEvents = list(event("A", { eventType: "PlannedMaintenance", impactStartTime: ago(-24) }))
    const failed = { items: [], invalid: 0, problem: "502" }
    expect(lineOf(Explanation.make(readings({ ownEvents, history: failed })), "Next")).toMatch(/ see Not read below/)
    const silent = list(status({ availabilityState: "Unknown" }))
    expect(lineOf(Explanation.make(readings({ ownEvents, current: silent })), "Next")).toMatch(
      / run the command again in some minutes/,
    )
  })

  it("says whether the expected end has passed", () => {
    const expected = (resolutionETA: Timestamp) =>
      lineOf(Explanation.make(readings({ current: list(status({ resolutionETA })) })), "Expected end")
    expect([expected(ago(4)), expected(ago(-2))]).toEqual([
      expect.stringMatching(/\(4 h ago\)$/),
      expect.stringMatching(/\(in 2 h\)$/),
    ])
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

it("cuts texts that are longer than a screen", () => {
  const long = "x ".repeat(100_000)
  const current = { ...status({ reasonType: long, context: long, summary: long, title: long }), location: long }
  const explanation = Explanation.make(readings({ current: list(current) }))
  const lines = ExplanationText.lines(explanation, { ...layout, width: undefined })
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(1_000)
})

it("does not repeat a summary that is the title, unless the title lacks its end", () => {
  const end = "Do not restart it, or its temporary disk is lost."
  const screen = (summary: string) => {
    const current = list(status({ reasonType: "Unplanned", summary }))
    return ExplanationText.lines(Explanation.make(readings({ current })), { ...layout, width: undefined }).join("\n")
  }
  expect(screen(end)).not.toMatch(/^Summary/m)
  for (const length of [201, 500])
    expect(screen(end.padStart(length, "It failed. "))).toMatch(/^Summary .*disk is lost\.$/m)
})

it("prints one screen with the answer, the status, the evidence and what was not read", () => {
  const explanation = Explanation.make(
    readings({
      current: list(
        status({
          reasonType: "Unplanned",
          context: "Platform Initiated",
          summary: "A <b>problem</b> of the platform\u001b[2J.",
          healthEventId: "AB12-CD3",
          recommendedActions: [{ action: "Wait." }],
        }),
      ),
      ownEvents: list(event("AB12-CD3")),
      history: { items: [], invalid: 0, problem: "502 Bad Gateway" },
    }),
  )
  const lines = ExplanationText.lines(explanation, layout)
  expect(lines.join("\n")).toMatchInlineSnapshot(`
    "The platform: Event AB12-CD3, event began 3 h ago. The resource is Unavailable,
    checked 1 min ago. Not read completely: the history.

    Next                  show AB12-CD3 of resource, 90 d
    Impact                Confirmed: it names the resource
    Resource              web-1, Vendor.Compute/virtualMachines, shop, westeurope
    State                 Unavailable since 10 Mar 2026, 10:00 UTC (2 h)
    Last check            1 min ago
    Reason                Unplanned, Platform Initiated
    Summary               A problem of the platform.
    Subscription          Production
    Earlier states        show web-1

    Not read
      - history: 502 Bad Gateway

    Recommended actions
      - Wait.

    Evidence
      - platform: as above
        AB12-CD3, events of the resource, current status, updated 1 h ago

    Events updated from 10 Dec 2025, 12:00 UTC to 10 Mar 2026, 12:00 UTC, and the
    history of the last 24 hours."
  `)
  expect(ExplanationText.toJson(explanation)).toMatchObject({
    verdict: "platform",
    isOngoing: true,
    trackingId: "AB12-CD3",
    asOf: "2026-03-10T12:00:00.000Z",
    unread: [{ source: "history" }],
  })
})

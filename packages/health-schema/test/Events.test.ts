import { Events, type HealthEvent, Timestamp } from "@vigil/health-schema"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const stamp = Schema.decodeSync(Timestamp.Timestamp)
const timeAt = (hour: number) => DateTime.makeUnsafe(Date.UTC(2025, 4, 13, hour))
const time = (hour: number) => stamp(`2025-05-13T${String(hour).padStart(2, "0")}:00:00Z`)
const span = (start: number, end?: number): Events.Interval => ({
  start: timeAt(start),
  end: end === undefined ? Option.none() : Option.some(timeAt(end)),
})
const eventWith = (properties: HealthEvent.Properties): HealthEvent.HealthEvent => ({ properties })

describe("interval", () => {
  it.each([
    ["from start to mitigation", { impactStartTime: time(1), impactMitigationTime: time(3) }, span(1, 3)],
    [
      "open for an active event without mitigation",
      { impactStartTime: time(1), status: "Active", lastUpdateTime: time(9) },
      span(1),
    ],
    [
      "open for a mitigation in the year 0001",
      { impactStartTime: time(1), impactMitigationTime: stamp("0001-01-01T00:00:00") },
      span(1),
    ],
    [
      "from start to last update for a resolved event without mitigation",
      { impactStartTime: time(1), status: "resolved", lastUpdateTime: time(5) },
      span(1, 5),
    ],
  ] as ReadonlyArray<readonly [string, HealthEvent.Properties, Events.Interval]>)(
    "is %s",
    (_, properties, expected) => {
      expect(Events.interval(eventWith(properties))).toEqual(Option.some(expected))
    },
  )

  it.each([
    ["without a start", { impactMitigationTime: time(3), status: "Resolved" }],
    ["that is mitigated before it starts", { impactStartTime: time(3), impactMitigationTime: time(1) }],
    [
      "that was resolved and last updated before it started",
      { impactStartTime: time(3), status: "Resolved", lastUpdateTime: time(1) },
    ],
  ] as ReadonlyArray<readonly [string, HealthEvent.Properties]>)(
    "returns no value for an event %s",
    (_, properties) => {
      expect(Events.interval(eventWith(properties))).toEqual(Option.none())
      expect(Events.isActiveAt(timeAt(2))(eventWith(properties))).toBe(false)
    },
  )

  it("contains its start, but not its end", () => {
    const event = eventWith({ impactStartTime: time(1), impactMitigationTime: time(3) })
    expect([0, 1, 2, 3].filter((hour) => Events.isActiveAt(timeAt(hour))(event))).toEqual([1, 2])
    expect([event].filter(Events.isActiveAt(timeAt(1)))).toEqual([event])
  })
})

const outage = eventWith({
  impactStartTime: time(1),
  status: "Active",
  impact: [
    {
      impactedService: "Virtual Machines",
      impactedRegions: [
        { impactedRegion: "West Europe", status: "Resolved", lastUpdateTime: time(4) },
        { impactedRegion: "East US", status: "Active", lastUpdateTime: time(5) },
      ],
    },
    { impactedService: "DNS", impactedRegions: [{ impactedRegion: "Global", status: "Resolved" }, {}] },
    { impactedService: "Key Vault" },
  ],
})

describe("isActiveAt", () => {
  it("uses the status of an event without a start", () => {
    const listed = eventWith({ eventType: "SecurityAdvisory", status: "Active", lastUpdateTime: time(1) })
    expect(Events.isActiveAt(timeAt(9))(listed)).toBe(true)
    expect(Events.isActiveAt(timeAt(9))(eventWith({ status: "Resolved", lastUpdateTime: time(1) }))).toBe(false)
    const resolved = eventWith({ status: "Resolved", impactStartTime: time(1) })
    expect(Events.isActiveAt(timeAt(9))(resolved)).toBe(false)
    const ended = eventWith({ status: "Active", impactMitigationTime: time(5) })
    expect([4, 5].map((hour) => Events.isActiveAt(timeAt(hour))(ended))).toEqual([true, false])
  })
})

describe("a false positive", () => {
  const says = { eventTags: ["FALSE POSITIVE"] } as const
  const region = (...updates: ReadonlyArray<object>) => ({ impactedRegion: "A", updates: updates as never })
  const at = (hour: number, tags: object = {}) => ({ updateDateTime: time(hour), ...tags })
  const eventIn = (...impactedRegions: ReadonlyArray<object>): HealthEvent.Properties => ({
    impact: [{ impactedRegions: impactedRegions as never }],
  })

  it.each<readonly [string, HealthEvent.Properties, boolean]>([
    ["that its tags name", { eventTags: ["Final PIR", "False Positive"] }, true],
    ["that its tags name in another form", { eventTags: [" false-positive"] }, true],
    ["that another tag contains", { eventTags: ["No False Positive", "False Positive?"] }, false],
    ["that its only region names", eventIn(region(at(1), at(2, says))), true],
    ["that a later update took back", eventIn(region(at(2), at(1, says))), false],
    ["that an update of the same time lacks", eventIn(region(at(1), at(1, says))), false],
    ["that an update without a time may have taken back", eventIn(region({}, at(1, says))), false],
    ["that only one of its regions names", eventIn(region(at(1, says)), region(at(1))), false],
    ["that only one of its services names", { impact: [{}, ...(eventIn(region(at(1, says))).impact ?? [])] }, false],
    ["without updates", eventIn(region()), false],
    ["without regions", { impact: [] }, false],
  ])("%s is right", (_, properties, expected) => {
    const event = eventWith({ status: "Active", impactStartTime: time(1), ...properties })
    expect(Events.isFalsePositive(event)).toBe(expected)
    expect([Events.isActive(event), Events.isActiveAt(timeAt(2))(event)]).toEqual([!expected, !expected])
    expect(Option.isNone(Events.interval(event))).toBe(expected)
    expect([event].filter(Events.matches({ status: ["Active"] }))).toHaveLength(expected ? 0 : 1)
  })

  it("has no impact on a region that names it", () => {
    const event = eventWith(eventIn({ ...region(at(1, says)), impactedRegion: "B" }, region(at(1))))
    expect(Events.impacts(event).map(({ region }) => region)).toEqual(["A"])
  })
})

describe("impacts", () => {
  it("returns one impact per region, which ends if the region is resolved, and one per service without regions", () => {
    expect(Events.impacts(outage)).toEqual([
      { service: "Virtual Machines", region: "West Europe", interval: Option.some(span(1, 4)) },
      { service: "Virtual Machines", region: "East US", interval: Option.some(span(1)) },
      { service: "DNS", region: "Global", interval: Option.some(span(1)) },
      { service: "DNS", region: "", interval: Option.some(span(1)) },
      { service: "Key Vault", region: "", interval: Option.some(span(1)) },
    ])
  })

  const region = (properties: HealthEvent.Properties, status: string, hour: number) =>
    Events.impacts(
      eventWith({ ...properties, impact: [{ impactedRegions: [{ status, lastUpdateTime: time(hour) }] }] }),
    ).map((impact) => Option.getOrNull(impact.interval))

  it("ends an impact with its region or with the event, whichever is earlier", () => {
    const whole = { impactStartTime: time(1), impactMitigationTime: time(9), status: "Resolved" }
    expect(region(whole, "Resolved", 4)).toEqual([span(1, 4)])
    expect(region(whole, "Resolved", 12)).toEqual([span(1, 9)])
    expect(region(whole, "Active", 4)).toEqual([span(1, 9)])
    expect(region({ impactStartTime: time(5), status: "Active" }, "Resolved", 2)).toEqual([span(5, 5)])
  })

  it.each([
    [{ region: "GLOBAL" }, true],
    [{ service: "DNS", region: "Global" }, true],
    [{ service: "DNS", region: "East US" }, false],
    [{ service: "Key Vault" }, true],
    [{ service: "Blob Storage" }, false],
    [{}, true],
  ])("concerns with %j returns %s", (place, expected) => {
    expect(Events.concerns(place)(outage)).toBe(expected)
  })
})

describe("matches", () => {
  const event = eventWith({
    eventType: "serviceissue",
    eventLevel: "error",
    status: "InProgress",
    impact: [
      { impactedService: "Storage", impactedRegions: [{ impactedRegion: "West Europe" }] },
      { impactedService: "DNS", impactedRegions: [{ impactedRegion: "East US" }] },
    ],
  })

  it.each<readonly [Events.Selection, boolean]>([
    [{}, true],
    [{ type: [], level: [], status: [], service: [], region: [] }, true],
    [{ type: ["Billing", "ServiceIssue"], level: ["Error"], status: ["Active"] }, true],
    [{ type: ["Billing"] }, false],
    [{ level: ["Critical"] }, false],
    [{ status: ["Resolved"] }, false],
    [{ service: ["storage"], region: ["westeurope", "eastus"] }, true],
    [{ service: ["Storage"], region: ["eastus"] }, false],
    [{ region: ["north"] }, false],
  ])("the selection %j matches: %s", (selection, expected) => {
    expect(Events.matches(selection)(event)).toBe(expected)
  })
})

import { Events, type HealthEvent, Interval, Timestamp } from "@vigil/health-schema"
import * as DateTime from "effect/DateTime"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const stamp = Schema.decodeSync(Timestamp.Timestamp)
const at = (hour: number) => DateTime.unsafeMake(Date.UTC(2025, 4, 13, hour))
const time = (hour: number) => stamp(`2025-05-13T${String(hour).padStart(2, "0")}:00:00Z`)
const span = (start: number, end?: number): Interval.Interval => ({
  start: at(start),
  end: end === undefined ? Option.none() : Option.some(at(end)),
})
const of = (properties: HealthEvent.Properties): HealthEvent.HealthEvent => ({ properties })

describe("interval", () => {
  it.each([
    ["from start to mitigation", { impactStartTime: time(1), impactMitigationTime: time(3) }, span(1, 3)],
    [
      "open while nothing is mitigated",
      { impactStartTime: time(1), status: "Active", lastUpdateTime: time(9) },
      span(1),
    ],
    [
      "open for the year 0001",
      { impactStartTime: time(1), impactMitigationTime: stamp("0001-01-01T00:00:00") },
      span(1),
    ],
    [
      "to the last update when it is resolved and not mitigated",
      { impactStartTime: time(1), status: "resolved", lastUpdateTime: time(5) },
      span(1, 5),
    ],
    [
      "to its mitigation, though it is active",
      { impactStartTime: time(1), impactMitigationTime: time(3), status: "Active" },
      span(1, 3),
    ],
  ] as ReadonlyArray<readonly [string, HealthEvent.Properties, Interval.Interval]>)(
    "goes %s",
    (_, properties, expected) => {
      expect(Events.interval(of(properties))).toEqual(Option.some(expected))
    },
  )

  it.each([
    ["without a start", { impactMitigationTime: time(3) }],
    ["that is mitigated before it starts", { impactStartTime: time(3), impactMitigationTime: time(1) }],
    ["with an empty start", { impactStartTime: stamp("") }],
  ] as ReadonlyArray<readonly [string, HealthEvent.Properties]>)("is none for an event %s", (_, properties) => {
    expect(Events.interval(of(properties))).toEqual(Option.none())
    expect(Events.isActiveAt(of(properties), at(2))).toBe(false)
  })

  it("holds its start and not its end", () => {
    const event = of({ impactStartTime: time(1), impactMitigationTime: time(3) })
    expect([0, 1, 2, 3, 4].map((hour) => Events.isActiveAt(event, at(hour)))).toEqual([false, true, true, false, false])
    expect(Events.isActiveAt(of({ impactStartTime: time(1) }), at(20))).toBe(true)
  })
})

const outage = of({
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
    {},
  ],
})

describe("impacts", () => {
  it("are one a region of a service, each until it is resolved", () => {
    expect(Events.impacts(outage)).toEqual([
      { service: "Virtual Machines", region: "West Europe", interval: Option.some(span(1, 4)) },
      { service: "Virtual Machines", region: "East US", interval: Option.some(span(1)) },
      { service: "DNS", region: "Global", interval: Option.some(span(1)) },
      { service: "DNS", region: "", interval: Option.some(span(1)) },
    ])
  })

  it("have a union, which is the event's own interval where none is named", () => {
    expect(Events.impactUnion(outage)).toEqual([span(1)])
    expect(Events.impactUnion(of({ impactStartTime: time(1), impactMitigationTime: time(2) }))).toEqual([span(1, 2)])
    expect(Events.impactUnion({})).toEqual([])
  })

  it.each([
    [{ service: "virtual machines" }, true],
    [{ region: "GLOBAL" }, true],
    [{ service: "DNS", region: "Global" }, true],
    [{ service: "DNS", region: "East US" }, false],
    [{ service: "Key Vault" }, true],
    [{ service: "Key Vault", region: "Global" }, false],
    [{ service: "Blob Storage" }, false],
    [{}, true],
  ])("concern %j: %s", (asked, expected) => {
    expect(Events.concerns(outage, asked)).toBe(expected)
  })
})

describe("a union of intervals", () => {
  const hours = FastCheck.nat(20)
  const intervals = FastCheck.array(
    FastCheck.tuple(hours, FastCheck.option(FastCheck.nat(5), { nil: undefined })).map(([start, length]) =>
      span(start, length === undefined ? undefined : start + length),
    ),
  )
  const covers = (all: ReadonlyArray<Interval.Interval>, hour: number) =>
    all.some((interval) => Interval.contains(interval, at(hour)))

  it("covers what they cover, in order, with gaps between", () => {
    FastCheck.assert(
      FastCheck.property(intervals, (all) => {
        const union = Interval.union(all)
        for (let hour = 0; hour < 30; hour++) expect(covers(union, hour)).toBe(covers(all, hour))
        for (const [index, { start }] of union.entries())
          if (index > 0)
            expect(Option.exists(union[index - 1]?.end ?? Option.none(), DateTime.lessThan(start))).toBe(true)
      }),
    )
  })

  it("joins those that touch, and keeps an open end", () => {
    expect(Interval.union([span(3, 4), span(1, 3), span(6, 7)])).toEqual([span(1, 4), span(6, 7)])
    expect(Interval.union([span(1), span(2, 3)])).toEqual([span(1)])
  })
})

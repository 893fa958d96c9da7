import * as Availability from "@vigil/health-report/Availability"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import { describe, expect, it } from "vitest"

const minute = 60_000
const now = Date.parse("2026-03-10T12:00:00Z")
const from = now - 1_000 * minute

const at = (minutes: number) => new Date(from + minutes * minute).toISOString()

interface Issue {
  readonly level?: string
  readonly start?: number
  readonly end?: number
  readonly status?: string
  readonly type?: string
  readonly service?: string
  readonly regions?: ReadonlyArray<object>
}

const eventOf = ({
  end,
  level = "Error",
  regions = [{ impactedRegion: "East US" }],
  service = "DNS",
  start,
  status,
  type,
}: Issue) => ({
  properties: {
    eventType: type ?? "ServiceIssue",
    eventLevel: level,
    status: status ?? (end === undefined ? "Active" : "Resolved"),
    impact: [{ impactedService: service, impactedRegions: regions }],
    ...(start === undefined ? {} : { impactStartTime: at(start) }),
    ...(end === undefined ? {} : { impactMitigationTime: at(end) }),
  },
})

/** The fields are as in a list of the service. */
const eventsOf = (issues: ReadonlyArray<object>) => issues as Snapshot["events"]

const measure = (...issues: ReadonlyArray<Issue>) =>
  Availability.make({ events: eventsOf(issues.map(eventOf)), from, now })

const row = (...issues: ReadonlyArray<Issue>) => {
  const [{ minutes, share, total } = { minutes: {}, share: 1, total: 0 }] = measure(...issues).rows
  return { minutes: Object.fromEntries(Object.entries(minutes).filter(([, one]) => one > 0)), total, share }
}

describe("the availability of a service in a region", () => {
  it.each([
    [
      "issues apart",
      [
        { start: 100, end: 150 },
        { start: 200, end: 210 },
      ],
      { Error: 60 },
      60,
    ],
    [
      "issues of one level that overlap",
      [
        { start: 100, end: 150 },
        { start: 120, end: 170 },
        { start: 130, end: 140 },
      ],
      { Error: 70 },
      70,
    ],
    [
      "issues that touch",
      [
        { start: 100, end: 150 },
        { start: 150, end: 160 },
      ],
      { Error: 60 },
      60,
    ],
    [
      "issues of two levels that overlap",
      [
        { start: 100, end: 150 },
        { start: 140, end: 180, level: "Critical" },
      ],
      { Critical: 40, Error: 50 },
      80,
    ],
    ["an issue that is not resolved", [{ start: 900 }], { Error: 100 }, 100],
    ["an issue with an unknown status", [{ start: 900, status: "Odd" }], { Error: 100 }, 100],
    ["an issue that began before the interval", [{ start: -500, end: 25 }], { Error: 25 }, 25],
    ["an issue that ends after now", [{ start: 990, end: 1_500 }], { Error: 10 }, 10],
    [
      "issues before and after the interval",
      [
        { start: -500, end: -1 },
        { start: 1_001, end: 1_002 },
      ],
      {},
      0,
    ],
    ["a notice", [{ start: 100, end: 150, type: "PlannedMaintenance" }], {}, 0],
    ["an unknown level", [{ start: 0, end: 1_000, level: "Dire" }], { Other: 1_000 }, 1_000],
  ])("counts %s", (_, issues, minutes, total) => {
    expect(row(...issues)).toEqual({ minutes, total, share: 1 - total / 1_000 })
  })

  it("ends with the last update of a resolved region", () => {
    const regions = [
      { impactedRegion: "East US", status: "Resolved", lastUpdateTime: at(130) },
      { impactedRegion: "UK South" },
    ]
    const { rows } = measure({ start: 100, end: 150, regions })
    expect(rows.map(({ region, total }) => [region, total])).toEqual([
      ["UK South", 50],
      ["East US", 30],
    ])
  })

  it("has one row for all spellings of its names, and none for an impact without a start or an end", () => {
    const spelled = { start: 120, end: 160, service: "dns", regions: [{ impactedRegion: "eastus" }] }
    const { rows, undated } = measure({ start: 100, end: 150 }, spelled, {}, { start: 100, status: "Resolved" })
    expect(rows.map(({ region, service, total }) => [service, region, total])).toEqual([["DNS", "East US", 60]])
    expect(undated).toBe(2)
  })
})

it.each([
  [1, "100.000%"],
  [0.999999, "99.999%"],
  [0.71, "71.000%"],
  [0, "0.000%"],
])("a share of %d is %s", (share, text) => {
  expect(Availability.percentage(share)).toBe(text)
})

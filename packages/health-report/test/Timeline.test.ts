import { describe, expect, it } from "@effect/vitest"
import * as property from "@vigil/testing/property"
import * as FastCheck from "fast-check"
import stringWidth from "fast-string-width"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as Timeline from "@vigil/health-report/Timeline"
import * as Axis from "../src/internal/axis.js"
import { month } from "@vigil/testing/snapshots"

const hour = 3_600_000
const day = 24 * hour
const now = Date.parse("2026-03-10T12:00:00Z")

const draw = (snapshot: Snapshot, style: Partial<Timeline.Style> = {}) =>
  Timeline.lines(snapshot, { width: 80, color: false, ...style })

/** An event whose start and end are in hours after the start of the period, which is ten hours before now. */
const event = (
  service: string,
  eventLevel: string,
  start: number,
  end: number | undefined,
  eventType = "ServiceIssue",
) => ({
  name: `${service}-${start}`,
  properties: {
    eventType,
    eventLevel,
    impact: [{ impactedService: service }],
    impactStartTime: new Date(now - 10 * hour + start * hour).toISOString(),
    ...(end === undefined ? {} : { impactMitigationTime: new Date(now - 10 * hour + end * hour).toISOString() }),
  },
})

/** A snapshot of ten hours: one cell per hour at a width of 15. */
const reading = (...events: ReadonlyArray<object>): Snapshot => ({
  source: "",
  invalid: 0,
  failed: [],
  from: now - 10 * hour,
  now,
  // The fields are as in a list of the service.
  events: events as Snapshot["events"],
})

const bars = (lines: ReadonlyArray<string>) => lines.filter((line) => /^\s*(DNS|SQL)/.test(line))

describe("the drawing", () => {
  it("shows a month of the sandbox's world", () => {
    const lines = draw(month)
    expect([lines[0], lines.at(-1)]).toEqual([
      "8 Feb 2026, 12:00 UTC to 16 Mar 2026, 12:00 UTC ┃ is now",
      "C█ critical  E▓ error  W▒ warning  I░ informational  ▁ notice",
    ])
    expect(lines[2]).toMatch(/^ {20}9 Feb {7}16 Feb .* 16 Mar$/)
    expect(lines.filter((line) => /^[A-Z][\w ]+[CEWI░▒▓█▁ ]+$/.test(line))).toHaveLength(10)
  })

  it("begins each issue with the initial of its level, with severe ones on top, and shows notices as thin lines", () => {
    const lines = draw(
      reading(
        event("DNS", "Warning", 0, 8),
        event("DNS", "Critical", 2, 4),
        event("SQL", "Informational", 0, 2),
        event("SQL", "Error", 4, 6),
        event("SQL", "Critical", 5, undefined, "HealthAdvisory"),
      ),
      { width: 15 },
    )
    expect(bars(lines)).toEqual(["DNS  W▒C█W▒▒▒", "SQL  I░  E▓▁▁▁▁"])
  })

  it("shows planned impact, up to a fifth of the time", () => {
    const planned = event("DNS", "Warning", 11, 500, "PlannedMaintenance")
    const lines = draw(reading(event("DNS", "Error", 9, undefined), planned), { width: 17 })
    expect(bars(lines)).toEqual(["DNS           E ▁"])
    expect(lines.join("\n")).toContain("┃ is now")
    expect(draw(reading(event("DNS", "Error", 1, 2))).join("\n")).not.toContain("┃")
  })

  it("names an impact without a service", () => {
    const nameless = { properties: { ...event("", "Error", 1, 2).properties, impact: [] } }
    expect(draw(reading(nameless)).join("\n")).toMatch(/^\(no service\) +E▓+$/m)
  })

  it("colors each run of a level, but not empty cells", () => {
    const lines = draw(reading(event("DNS", "Critical", 1, 3), event("DNS", "Warning", 3, 4)), {
      width: 15,
      color: true,
    })
    expect(bars(lines)).toEqual(["DNS   \u001b[1;35mC█\u001b[0m\u001b[33mW\u001b[0m"])
  })

  const name = FastCheck.string({
    unit: FastCheck.constantFrom("a", "漢", "👩‍🚀", "é", "\u001b[31m", "\u202e", "\n", " "),
  })

  property.sync(
    "fits its width for any service names, and has no control characters",
    [FastCheck.array(name, { maxLength: 4 }), FastCheck.integer({ min: 26, max: 160 })],
    ([names, width]) => {
      const lines = draw(reading(...names.map((name, index) => event(name, "Error", index, undefined))), { width })
      for (const line of lines) {
        expect(stringWidth(line)).toBeLessThanOrEqual(width)
        expect(line).not.toMatch(/[\p{Cc}\u202e]/u)
      }
    },
  )
})

describe("the axis", () => {
  const labels = (length: number, most: number) =>
    Axis.ticks({ from: now - length, now, to: now }, most).map(({ label }) => label)

  it.each([
    [5 * hour, 5, ["07:00", "08:00", "09:00", "10:00", "11:00", "12:00"]],
    [day, 5, ["12:00", "18:00", "10 Mar", "06:00", "12:00"]],
    [30 * day, 6, ["9 Feb", "16 Feb", "23 Feb", "2 Mar", "9 Mar"]],
    [365 * day, 4, ["Jul 2025", "Jan 2026"]],
    [1_000 * 365 * day, 5, ["Sep 1158", "Jul 1361", "May 1564", "Mar 1767", "Jan 1970"]],
  ])("of %i ms has round tick labels, at most %i plus one", (length, most, expected) => {
    expect(labels(length, most)).toEqual(expected)
    expect(labels(length, most).length).toBeLessThanOrEqual(most + 1)
  })
})

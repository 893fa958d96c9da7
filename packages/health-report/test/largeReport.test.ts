/** A report with more regions and events than any service has. A test whose code is too slow fails by its timeout. */
import { expect, it } from "vitest"
import * as HtmlReport from "@vigil/health-report/HtmlReport"
import type { Snapshot } from "@vigil/health-report/Snapshot"

/** The number of regions and events. Code that takes linear time needs far less than the timeout of a test. */
const count = process.env["LARGE_INPUTS"] === undefined ? 500 : 40_000

const now = Date.parse("2026-03-10T12:00:00Z")
const hour = 3_600_000

const event = (index: number, service: string, regions: ReadonlyArray<object>, start: number, end?: number) => ({
  id: `/events/${index}`,
  name: `E${index}`,
  properties: {
    title: `Title ${index}`,
    eventType: "ServiceIssue",
    eventLevel: "Warning",
    status: end === undefined ? "Active" : "Resolved",
    impactStartTime: new Date(start).toISOString(),
    ...(end === undefined ? {} : { impactMitigationTime: new Date(end).toISOString() }),
    impact: [{ impactedService: service, impactedRegions: regions }],
  },
})

const region = (index: number) => ({
  impactedRegion: `R${index}`,
  updates: [{ summary: `<p>Update ${index}</p>`, updateDateTime: new Date(now - hour).toISOString() }],
})

it("a report contains many regions, and many events at once and one after the other", () => {
  const indexes = Array.from({ length: count }, (_, index) => index)
  const sequence = indexes.map((index) => {
    const start = now - 400 * hour + index * 20_000
    return event(index, "DNS", [region(0)], start, start + 5_000)
  })
  const distinct = indexes.map((index) => event(count + index, `S${index}`, [region(index)], now - hour))
  const all: ReadonlyArray<object> = [
    event(2 * count, "VM", indexes.map(region), now - 24 * hour),
    ...sequence,
    ...distinct,
  ]
  // The fields are as in a list of the service.
  const report = HtmlReport.make({
    source: "x",
    invalid: 0,
    failed: [],
    from: now - 720 * hour,
    now,
    events: all as Snapshot["events"],
  })
  expect(report.split('<div class="body"')).toHaveLength(all.length + 1)
})

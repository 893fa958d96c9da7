/** Reports with more regions and events than any service has. A test whose code is too slow fails by its timeout. */
import { describe, expect, it } from "vitest"
import type { Snapshot } from "../src/events/Snapshot.js"
import * as Page from "../src/report/Page.js"

/** The number of regions and events. Code that takes linear time needs far less than the timeout of a test. */
const count = process.env["LARGE_INPUTS"] === undefined ? 10_000 : 40_000

const now = Date.parse("2026-03-10T12:00:00Z")
const hour = 3_600_000

const event = (index: number, service: string, regions: ReadonlyArray<object>, start: number, end?: number) => ({
  id: `/events/${index}`,
  name: `E${index}`,
  properties: {
    title: `Title ${index}`,
    summary: `<p>Summary ${index}</p>`,
    eventType: "ServiceIssue",
    eventLevel: "Warning",
    status: end === undefined ? "Active" : "Resolved",
    lastUpdateTime: new Date(start).toISOString(),
    impactStartTime: new Date(start).toISOString(),
    ...(end === undefined ? {} : { impactMitigationTime: new Date(end).toISOString() }),
    impact: [{ impactedService: service, impactedRegions: regions }],
  },
})

const region = (name: string, summary: string) => ({
  impactedRegion: name,
  status: "Active",
  updates: [{ summary, updateDateTime: new Date(now - hour).toISOString() }],
})

/** Makes a report of events in the format of a list response. */
const report = (events: ReadonlyArray<object>) =>
  Page.make({ source: "x", from: now - 720 * hour, now, events: events as Snapshot["events"] })

const regions = (summary: (index: number) => string) => {
  const all = Array.from({ length: count }, (_, index) => region(`R${index}`, summary(index)))
  return [event(0, "DNS", all, now - 24 * hour)]
}

const events = (one: (index: number) => object) => Array.from({ length: count }, (_, index) => one(index))

describe("a report", () => {
  it.each([
    ["many regions with an update each", () => regions((index) => `<p>Update ${index}</p>`)],
    [
      "many events one after the other",
      () =>
        events((index) => {
          const start = now - 400 * hour + index * 20_000
          return event(index, "DNS", [region("R", "x")], start, start + 5_000)
        }),
    ],
    [
      "many events, each with its own service and region",
      () => events((index) => event(index, `S${index}`, [region(`R${index}`, "x")], now - hour)),
    ],
  ])("contains %s", (_, make) => {
    const all = make()
    expect(report(all).split('<div class="body"')).toHaveLength(all.length + 1)
  })
})

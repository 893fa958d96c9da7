/** Many resources that one event lists. A test whose code is too slow fails by its timeout. */
import type { Timestamp } from "@vigil/health-schema/Timestamp"
import * as Assessment from "@vigil/health-verdict/Assessment"
import { expect, it } from "vitest"

/** Code that takes linear time needs far less than the timeout of a test. */
const count = process.env["LARGE_INPUTS"] === undefined ? 5_000 : 50_000

const now = Date.UTC(2026, 2, 10, 12)

it("an event with a long list of resources is compared with each of many resources", () => {
  const ids = Array.from({ length: count }, (_, index) => `/subscriptions/s/providers/V.Web/sites/n${index}`)
  const event = { name: "AB12-CD3", properties: { eventType: "ServiceIssue", status: "Active" } }
  const items = ids.map((targetResourceId) => ({ properties: { targetResourceId } }))
  const assess = Assessment.make(now, { events: [event], impacted: new Map([["ab12-cd3", { items, invalid: 0 }]]) })
  const all = ids.map((id) =>
    assess({
      id: `${id}/providers/V.ResourceHealth/availabilityStatuses/current`,
      properties: { availabilityState: "Available", reportedTime: new Date(now).toISOString() as Timestamp },
    }),
  )
  expect(all.filter(({ verdict }) => verdict === "platform")).toHaveLength(count)
})

it("many events that name no resource are compared with each of many resources that are down", () => {
  const impact = (index: number) => [
    { impactedService: `S${index}`, impactedRegions: [{ impactedRegion: "West Europe" }] },
  ]
  const events = Array.from({ length: 40 }, (_, index) => ({
    name: `E${index}`,
    properties: { eventType: "ServiceIssue", status: "Active", impact: impact(index) },
  }))
  const assess = Assessment.make(now, { events })
  const all = Array.from({ length: count }, (_, index) =>
    assess({
      id: `/subscriptions/s/providers/V.Web/sites/n${index}/providers/V.ResourceHealth/availabilityStatuses/current`,
      location: "westeurope",
      properties: { availabilityState: "Unavailable", reportedTime: new Date(now).toISOString() as Timestamp },
    }),
  )
  expect(all.filter(({ evidence }) => evidence?.trackingId === "E0")).toHaveLength(count)
})

import { Changes, EventArbitrary, type HealthEvent, Timestamp } from "@vigil/health-schema"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const stamp = Schema.decodeSync(Timestamp.Timestamp)

const before: HealthEvent.HealthEvent = {
  id: "/events/A",
  name: "A",
  location: null,
  properties: {
    status: "Active",
    title: "Outage",
    links: [{ type: "Button" }],
    impact: [
      {
        impactedService: "DNS",
        impactedServiceGuid: "g1",
        impactedRegions: [
          { impactedRegion: "West Europe", status: "Active", updates: [{ summary: "One" }] },
          { impactedRegion: "East US", status: "Active" },
        ],
      },
    ],
  },
}

describe("between", () => {
  it("tells what is new: fields, regions and updates", () => {
    const after: HealthEvent.HealthEvent = {
      id: "/events/A",
      name: "A",
      properties: {
        title: "Outage",
        status: "Resolved",
        links: [{ type: "Hyperlink" }],
        impactMitigationTime: stamp("2025-05-13T00:00:00Z"),
        impact: [
          {
            impactedService: "DNS (renamed)",
            impactedServiceGuid: "g1",
            impactedRegions: [
              { impactedRegion: "West Europe", status: "Resolved", updates: [{ summary: "Two" }, { summary: "One" }] },
              { impactedRegion: "UK South", status: "Active", updates: [{ summary: "Here too" }] },
            ],
          },
        ],
      },
    }
    expect(Changes.between(before, after)).toEqual({
      fields: [
        { path: "properties.status", before: "Active", after: "Resolved" },
        { path: "properties.links", before: [{ type: "Button" }], after: [{ type: "Hyperlink" }] },
        { path: "properties.impactMitigationTime", before: undefined, after: "2025-05-13T00:00:00Z" },
      ],
      regions: [
        { service: "DNS (renamed)", region: "West Europe", kind: "Changed", fields: ["status"] },
        { service: "DNS (renamed)", region: "UK South", kind: "Added", fields: ["impactedRegion", "status"] },
        { service: "DNS", region: "East US", kind: "Removed", fields: [] },
      ],
      updates: [
        { service: "DNS (renamed)", region: "West Europe", update: { summary: "Two" } },
        { service: "DNS (renamed)", region: "UK South", update: { summary: "Here too" } },
      ],
    })
  })

  it("tells nothing of an event and its copy", () => {
    FastCheck.assert(
      FastCheck.property(EventArbitrary.event("2025-05-01"), (event) => {
        expect(Changes.isEmpty(Changes.between(event, JSON.parse(JSON.stringify(event))))).toBe(true)
      }),
    )
  })

  it("takes null and absent for the same", () => {
    expect(Changes.isEmpty(Changes.between({ name: null, properties: { title: null } }, { properties: {} }))).toBe(true)
    expect(Changes.isEmpty(Changes.between({ properties: null }, {}))).toBe(true)
  })

  it("tells of fields that no document lists", () => {
    const other = JSON.parse(`{ "properties": { "__proto__": 1, "impactedResourcesCount": 2 } }`)
    expect(Changes.between({}, other).fields.map(({ path }) => path)).toEqual([
      "properties.__proto__",
      "properties.impactedResourcesCount",
    ])
  })
})

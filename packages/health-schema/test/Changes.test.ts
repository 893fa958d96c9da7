import { Changes, type HealthEvent, Timestamp } from "@vigil/health-schema"
import * as EventArbitrary from "@vigil/health-schema/testing"
import * as FastCheck from "fast-check"
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

describe("compare", () => {
  it("returns new fields, regions and updates", () => {
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
    expect(Changes.compare(before, after)).toEqual({
      fields: [
        { path: "properties.status", before: "Active", after: "Resolved" },
        { path: "properties.links", before: [{ type: "Button" }], after: [{ type: "Hyperlink" }] },
        { path: "properties.impactMitigationTime", before: undefined, after: "2025-05-13T00:00:00Z" },
      ],
      services: [{ service: "DNS (renamed)", kind: "Changed", fields: ["impactedService"] }],
      regions: [
        { service: "DNS (renamed)", region: "West Europe", kind: "Changed", fields: ["status"] },
        { service: "DNS (renamed)", region: "UK South", kind: "Added", fields: ["impactedRegion", "status"] },
        { service: "DNS (renamed)", region: "East US", kind: "Removed", fields: ["impactedRegion", "status"] },
      ],
      updates: [
        { service: "DNS (renamed)", region: "West Europe", kind: "Added", update: { summary: "Two" } },
        { service: "DNS (renamed)", region: "UK South", kind: "Added", update: { summary: "Here too" } },
      ],
    })
  })

  it("returns nothing for a copy", () => {
    FastCheck.assert(
      FastCheck.property(EventArbitrary.event("2025-05-01"), (event) => {
        expect(Changes.isEmpty(Changes.compare(event, JSON.parse(JSON.stringify(event))))).toBe(true)
      }),
    )
  })

  it("treats null as absent, at any depth", () => {
    expect(Changes.isEmpty(Changes.compare({ name: null, properties: { title: null } }, { properties: {} }))).toBe(true)
    expect(Changes.isEmpty(Changes.compare({ properties: null }, {}))).toBe(true)
    const eventWith = (update: object): HealthEvent.HealthEvent => ({
      properties: { impact: [{ impactedRegions: [{ updates: [update] }] }] },
    })
    const [one, other] = [eventWith({ summary: "1" }), eventWith({ summary: "1", eventTags: null })]
    expect(Changes.isEmpty(Changes.compare(one, other))).toBe(true)
  })

  it("returns unknown fields, and fields of the event itself", () => {
    const other = JSON.parse(`{ "location": "x", "properties": { "__proto__": 1, "impactedResourcesCount": 2 } }`)
    expect(Changes.compare({}, other).fields.map(({ path }) => path)).toEqual([
      "location",
      "properties.__proto__",
      "properties.impactedResourcesCount",
    ])
  })

  const services = (...impact: NonNullable<HealthEvent.Properties["impact"]>): HealthEvent.HealthEvent => ({
    properties: { impact },
  })
  const dns = { impactedService: "DNS", impactedServiceGuid: "g1" }

  it.each([
    ["a service without regions", services(), services(dns), { services: [{ service: "DNS", kind: "Added" }] }],
    ["a removed service", services(dns), services(), { services: [{ service: "DNS", kind: "Removed" }] }],
    [
      "an undocumented field of a service",
      services(dns),
      services(Object.assign({ severity: 1 }, dns)),
      { services: [{ service: "DNS", kind: "Changed", fields: ["severity"] }], regions: [] },
    ],
  ])("returns %s", (_, one, other, expected) => {
    expect(Changes.compare(one, other)).toMatchObject(expected)
    expect(Changes.isEmpty(Changes.compare(one, other))).toBe(false)
  })

  it("ignores the order of services, regions and updates", () => {
    const regions = [{ impactedRegion: "A" }, { impactedRegion: "B", updates: [{ summary: "1" }, { summary: "2" }] }]
    const reordered = [{ impactedRegion: "B", updates: [{ summary: "2" }, { summary: "1" }] }, { impactedRegion: "A" }]
    const [one, other] = [
      services(dns, { impactedService: "VM", impactedRegions: regions }),
      services({ impactedService: "VM", impactedRegions: reordered }, dns),
    ]
    expect(Changes.isEmpty(Changes.compare(one, other))).toBe(true)
  })
})

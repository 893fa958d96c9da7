import { ApiVersion, Changes, HealthEvent, Timestamp } from "@vigil/health-schema"
import * as EventArbitrary from "@vigil/health-schema/testing"
import * as FastCheck from "fast-check"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
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

  /** Decoded, because TypeScript refuses unknown fields. */
  const decode = (json: unknown) => Result.getOrThrow(HealthEvent.decode("2025-05-01")(json))
  const withProperties = (properties: object) => decode({ properties })
  const withRegion = (region: object) => withProperties({ impact: [{ impactedRegions: [region] }] })
  const withUpdate = (update: object) => withRegion({ updates: [update] })

  it.each<readonly [what: string, one: HealthEvent.AnyEvent, other: HealthEvent.AnyEvent]>([
    ["null for absent", decode({ name: null, properties: null }), {}],
    ["an empty text for absent", withProperties({ title: "", lastUpdateTime: "" }), {}],
    ["an empty list for absent", withRegion({ impactedTenants: [], updates: [] }), withRegion({})],
    ["a record of only these for absent", withProperties({ article: { articleId: "", parameters: { a: [] } } }), {}],
    ["null and empty in an update", withUpdate({ summary: "1", eventTags: [] }), withUpdate({ summary: "1" })],
    ["IDs in another case", decode({ id: "/Events/A", name: "A" }), decode({ id: "/events/a", name: "a" })],
    ["a status in another case", withProperties({ status: "Active" }), withProperties({ status: "active" })],
    ["tags in another case", withUpdate({ eventTags: ["Final PIR"] }), withUpdate({ eventTags: ["final pir"] })],
    [
      "other digits and zones of an instant",
      withProperties({ lastUpdateTime: "2025-05-13T15:43:48" }),
      withProperties({ lastUpdateTime: "2025-05-13T17:43:48.0000000+02:00" }),
    ],
    ["the year 0001 for absent", withProperties({ impactMitigationTime: "0001-01-01T00:00:00" }), {}],
  ])("returns nothing for %s", (_, one, other) => {
    expect(Changes.isEmpty(Changes.compare(one, other))).toBe(true)
    expect(Changes.isEmpty(Changes.compare(other, one))).toBe(true)
  })

  it.each<readonly [what: string, one: HealthEvent.AnyEvent, other: HealthEvent.AnyEvent]>([
    ["the case of a text", withProperties({ title: "dns" }), withProperties({ title: "DNS" })],
    ["false and 0, which are not empty", withProperties({ isHIR: false, priority: 0 }), {}],
    ["an empty element of a list", withProperties({ eventTags: [""] }), withProperties({ eventTags: [] })],
    [
      "the case of a status in a map of any JSON",
      withProperties({ article: { parameters: { status: "Active" } } }),
      withProperties({ article: { parameters: { status: "active" } } }),
    ],
    ["a field with the name of a method", withProperties({ toString: "a" }), withProperties({ toString: "b" })],
  ])("returns %s", (_, one, other) => {
    expect(Changes.isEmpty(Changes.compare(one, other))).toBe(false)
  })

  it("ignores the case of every enumeration, and digits of every time", () => {
    const fold = (ast: SchemaAST.AST, change: (text: string) => string): unknown => {
      if (SchemaAST.isUnion(ast)) return fold(ast.types[0] ?? ast, change)
      if (SchemaAST.isArrays(ast)) return ast.rest.map((element) => fold(element, change))
      if (SchemaAST.isObjects(ast))
        return Object.fromEntries(ast.propertySignatures.map(({ name, type }) => [name, fold(type, change)]))
      if (SchemaAST.resolveIdentifier(ast) === "Timestamp") return change("2025-05-13T15:43:48")
      return SchemaAST.resolve(ast)?.["examples"] === undefined ? null : change("value")
    }
    for (const version of ApiVersion.all) {
      const { ast } = HealthEvent.schema(version)
      const event = fold(ast, (text) => text) as HealthEvent.AnyEvent
      const other = fold(ast, (text) => text.toUpperCase().replace(/:48$/, ":48.0Z")) as HealthEvent.AnyEvent
      expect(Changes.compare(event, other)).toEqual({ fields: [], services: [], regions: [], updates: [] })
      expect(JSON.stringify(other)).toContain("VALUE")
    }
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

describe("compareShared", () => {
  const region = { impactedRegion: "A", status: "Active", updates: [{ summary: "One" }] }
  const impactOf = (...updates: ReadonlyArray<object>) => [
    { impactedService: "DNS", impactedRegions: [{ ...region, updates }] },
  ]

  it("ignores fields that only one version of an event has, at any depth", () => {
    const own = (name: string, event: HealthEvent.HealthEvent) => ({
      ...event,
      [name]: 1,
      properties: {
        ...event.properties,
        [name]: { a: 1 },
        recommendedActions: { message: "Wait", [name]: 1 },
        impact: [
          {
            impactedService: "DNS",
            impactedRegions: [{ ...region, updates: [{ summary: "One", [name]: [1] }], [name]: 1 }],
            [name]: null,
          },
        ],
      },
    })
    const [one, other] = [own("first", before), own("second", before)]
    expect(Changes.isEmpty(Changes.compare(one, other))).toBe(false)
    expect(Changes.isEmpty(Changes.compareShared(one, other))).toBe(true)
  })

  it("returns changes of what both have, of lists, and of the status", () => {
    const one = { properties: { title: "Outage", impact: impactOf({ summary: "One" }, { summary: "Two" }) } }
    const other = {
      properties: {
        status: "Resolved",
        title: "Over",
        impact: impactOf({ summary: "Two", own: 1 }, { summary: "Three", own: 1 }),
      },
    }
    expect(Changes.compareShared(one, other)).toMatchObject({
      fields: [
        { path: "properties.title", before: "Outage", after: "Over" },
        { path: "properties.status", before: undefined, after: "Resolved" },
      ],
      services: [],
      updates: [
        { kind: "Added", update: { summary: "Three" } },
        { kind: "Removed", update: { summary: "One" } },
      ],
    })
    const first = { properties: { impact: impactOf() } }
    expect(Changes.compareShared(first, { properties: { impact: impactOf({ summary: "One" }) } }).updates).toHaveLength(
      1,
    )
  })

  it("returns what compare returns if both have the same fields", () => {
    const arbitrary = EventArbitrary.event(ApiVersion.defaultVersion)
    FastCheck.assert(
      FastCheck.property(arbitrary, (event) => {
        const properties = { ...event.properties, title: "first", status: "Active" }
        const [one, other] = [
          { ...event, properties },
          { ...event, properties: { ...properties, title: "second" } },
        ]
        expect(Changes.compareShared(one, other)).toEqual(Changes.compare(one, other))
      }),
    )
  })
})

import { Ajv } from "ajv"
import { ApiVersion, ErrorResponse, EventArbitrary, EventJsonSchema, HealthEvent } from "@vigil/health-schema"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

describe.each(ApiVersion.all)("the JSON Schema of %s", (version) => {
  const ajv = new Ajv({ strict: true, strictTypes: false })
  const event = (value: unknown) => ajv.validate(EventJsonSchema.event(version), value)

  it("accepts what decode accepts", () => {
    const event = ajv.compile(EventJsonSchema.event(version))
    const page = ajv.compile(EventJsonSchema.page(version))
    FastCheck.assert(
      FastCheck.property(EventArbitrary.event(version), EventArbitrary.page(version), (one, many) => {
        expect(event(one)).toBe(true)
        expect(page(many)).toBe(true)
      }),
    )
  })

  it.each([
    [{ properties: { priority: 24 } }],
    [{ properties: { duration: 1.5 } }],
    [{ properties: { lastUpdateTime: "7/24/2020" } }],
    [{ properties: { impact: [{ impactedRegions: [{ updates: [{ summary: 7 }] }] }] } }],
    [{ properties: [] }],
    [{ name: false }],
    [42],
  ])("refuses %j, as decode does", (value) => {
    expect(event(value)).toBe(false)
    expect(Either.isLeft(HealthEvent.decode(version)(value))).toBe(true)
  })

  it("is the one that was published", () => {
    expect(EventJsonSchema.page(version)).toMatchSnapshot()
  })

  it("can stand beside that of another version", () => {
    const both = JSON.stringify(JSONSchema.make(Schema.Struct(HealthEvent.HealthEvent)))
    expect(both).toContain("billingId")
    expect(both).toContain("systemData")
  })

  it("is of its version", () => {
    const text = JSON.stringify(EventJsonSchema.event(version))
    expect(text.includes("billingId")).toBe(version === "2025-05-01")
    expect(text.includes("systemData")).toBe(version === "2025-04-01")
  })
})

describe("the JSON Schemas beside those of events", () => {
  it("are those that were published", () => {
    expect(JSONSchema.make(ErrorResponse.Nested)).toMatchSnapshot()
    expect(JSONSchema.make(ApiVersion.ApiVersion)).toMatchSnapshot()
  })
})

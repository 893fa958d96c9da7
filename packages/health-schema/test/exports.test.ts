import { Ajv } from "ajv"
import { ApiVersion, EventArbitrary, EventJsonSchema, EventPretty, HealthEvent } from "@vigil/health-schema"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

describe.each(ApiVersion.all)("the JSON Schema of %s", (version) => {
  const ajv = new Ajv({ strict: true, strictTypes: false })
  const event = ajv.compile(EventJsonSchema.event(version))
  const page = ajv.compile(EventJsonSchema.page(version))

  it("accepts what decode accepts", () => {
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

describe("printing", () => {
  it("is a line a field, whatever the event", () => {
    FastCheck.assert(
      FastCheck.property(
        EventArbitrary.event("2025-05-01"),
        FastCheck.integer({ min: 20, max: 100 }),
        (event, width) => {
          const lines = EventPretty.event(event, { width }).split("\n")
          const { properties, ...identity } = event
          const fields = [...Object.values(identity), ...Object.values(properties ?? {})].filter(
            (field) => field !== null,
          )
          expect(lines).toHaveLength(Math.max(1, fields.length))
          for (const line of lines) expect(Array.from(line).length).toBeLessThanOrEqual(width)
        },
      ),
    )
  })

  it("shows no control sequence", () => {
    const title = "\u001b[2Ja\r\nb\u0008\u202ec\u200b\ud800\u2028d"
    expect(
      EventPretty.event({ name: "A", properties: { title, impact: [{ impactedService: "DNS" }], header: null } }),
    ).toBe(`name: A\ntitle: [2Ja b c d\nimpact: [{"impactedService":"DNS"}]`)
  })
})

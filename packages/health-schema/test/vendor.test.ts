/** The field whose name contains the vendor's: `enable<vendor>Support`. */
import { ApiVersion, EventArbitrary, EventJsonSchema, EventsPage, HealthEvent } from "@vigil/health-schema"
import { Ajv } from "ajv"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import { describe, expect, expectTypeOf, it } from "vitest"
import { compile } from "../src/internal/fastPath.js"

const options = { vendor: "Microsoft" }
const versions = [...ApiVersion.all, ApiVersion.other("2026-01-01")]
const withSupport = (value: unknown, vendor = "Microsoft") => ({ properties: { [`enable${vendor}Support`]: value } })

describe.each(versions)("version %s", (version) => {
  const decode = HealthEvent.decode(version, options)

  it("refuses an event whose field of the vendor is not a boolean", () => {
    for (const wrong of ["True", 1, {}, []]) {
      expect(Either.flip(decode(withSupport(wrong)))).toMatchObject({
        right: { path: "properties.enableMicrosoftSupport", reason: expect.stringContaining("expected boolean") },
      })
    }
  })

  it("accepts a boolean, null and no field, and returns the event itself", () => {
    for (const event of [withSupport(true), withSupport(false), withSupport(null), { properties: {} }, {}])
      expect(Either.getOrThrow(decode(event))).toBe(event)
  })

  it("keeps the fields of other vendors unchecked", () => {
    expect(Either.isRight(decode(withSupport("yes", "Vendor")))).toBe(true)
    expect(Either.isRight(HealthEvent.decode(version)(withSupport("yes")))).toBe(true)
    expect(Either.isLeft(HealthEvent.decode(version)(withSupport("yes", "Vendor")))).toBe(true)
  })

  it("reports the entries of a page whose field of the vendor is not a boolean", () => {
    const page = EventsPage.decode(version, options)({ value: [withSupport(true), withSupport("True")] })
    expect(Either.getOrThrow(page)).toMatchObject({
      items: [withSupport(true)],
      invalid: [{ index: 1, path: "properties.enableMicrosoftSupport" }],
    })
  })

  it("exports the field of the vendor as JSON Schema", () => {
    const ajv = new Ajv({ strict: true, strictTypes: false })
    const valid = ajv.compile(EventJsonSchema.event(version, options))
    expect([withSupport(true), withSupport(null), withSupport("True")].map((event) => valid(event))).toEqual([
      true,
      true,
      false,
    ])
    for (const schema of [EventJsonSchema.event(version, options), EventJsonSchema.page(version, options)]) {
      expect(JSON.stringify(schema)).toContain("enableMicrosoftSupport")
      expect(JSON.stringify(schema)).not.toContain("enableVendorSupport")
    }
  })

  it("generates the field of the vendor", () => {
    const told = new Set<unknown>()
    FastCheck.assert(
      FastCheck.property(
        EventArbitrary.event(version, options),
        EventArbitrary.page(version, options),
        (event, page) => {
          told.add(HealthEvent.vendorSupport(event, "Microsoft"))
          expect(Either.getOrThrow(decode(event))).toBe(event)
          expect(Either.getOrThrow(EventsPage.decode(version, options)(page)).invalid).toEqual([])
        },
      ),
    )
    expect(told).toEqual(new Set([true, false, undefined]))
  })

  it("is checked by the fast path", () => {
    const sure = compile(HealthEvent.schema(version, options).ast)
    expect([withSupport(true), withSupport(null), {}, withSupport("True")].map(sure)).toEqual([true, true, true, false])
  })
})

describe("the schemas of a vendor", () => {
  it("are made once for each version", () => {
    expect(HealthEvent.schema("2025-05-01", options)).toBe(HealthEvent.schema("2025-05-01", { vendor: "Microsoft" }))
    expect(HealthEvent.decode("2025-05-01", options)).toBe(HealthEvent.decode("2025-05-01", options))
    expect(HealthEvent.schema("2025-04-01")).toBe(HealthEvent.HealthEvent["2025-04-01"])
  })

  it("can be part of one document with those of another vendor", () => {
    const both = Schema.Struct({ a: HealthEvent.schema("2025-05-01"), b: HealthEvent.schema("2025-05-01", options) })
    expect(JSON.stringify(JSONSchema.make(both))).toContain("enableVendorSupport")
    expect(JSON.stringify(JSONSchema.make(both))).toContain("enableMicrosoftSupport")
  })

  it("have the type of the version, which shows the field of no vendor", () => {
    expectTypeOf(HealthEvent.decode("2025-04-01", options)).toEqualTypeOf(HealthEvent.decode("2025-04-01"))
    expectTypeOf<HealthEvent.Properties>().not.toHaveProperty("enableVendorSupport")
    expectTypeOf(HealthEvent.vendorSupport).returns.toEqualTypeOf<boolean | undefined>()
  })
})

/** Every version, known or not, with the default vendor or another one. */
import { ApiVersion, EventsPage, HealthEvent } from "@vigil/health-schema"
import * as EventArbitrary from "@vigil/health-schema/testing"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const other = ApiVersion.other("3000-01-01")

describe("ApiVersion", () => {
  const read = Schema.decodeUnknownResult(ApiVersion.ApiVersion)

  it("accepts any non-empty text, and distinguishes known versions", () => {
    for (const text of [...ApiVersion.all, other]) expect(Result.getOrThrow(read(text))).toBe(text)
    for (const value of ["", 7, null]) expect(Result.isFailure(read(value))).toBe(true)
    expect([...ApiVersion.all, other].map(Schema.is(ApiVersion.Known))).toEqual([
      ...ApiVersion.all.map(() => true),
      false,
    ])
    expect([...ApiVersion.all, other].filter(Schema.is(ApiVersion.Other))).toEqual([other])
  })

  it("throws on an empty or known version that is passed to `other`", () => {
    expect(() => ApiVersion.other("")).toThrow("length of at least 1")
    expect(() => ApiVersion.other("2025-04-01")).toThrow("2025-04-01 is a known version")
  })
})

describe("an unknown version", () => {
  const decode = HealthEvent.decode(other)

  it("has the checks and the event types of the latest version", () => {
    expect(decode).toBe(HealthEvent.decode(ApiVersion.latest))
    expect(HealthEvent.eventTypes(other)).toBe(HealthEvent.eventTypes(ApiVersion.latest))
  })
})

const options = { vendor: "Microsoft" }
const support = (value: unknown, vendor = "Microsoft") => ({ properties: { [`enable${vendor}Support`]: value } })

describe.each([...ApiVersion.all, other])("a vendor with version %s", (version) => {
  const decode = HealthEvent.decode(version, options)

  it("has a checked support field, and unchecked fields of other vendors", () => {
    for (const invalid of ["True", 1, {}, []])
      expect(Result.flip(decode(support(invalid)))).toMatchObject({
        success: { path: "properties.enableMicrosoftSupport", problem: expect.stringContaining("must be a boolean") },
      })
    for (const event of [support(true), support(null), support("yes", "Vendor"), {}])
      expect(Result.getOrThrow(decode(event))).toBe(event)
    expect(Result.isSuccess(HealthEvent.decode(version)(support("yes")))).toBe(true)
    expect(Result.isFailure(HealthEvent.decode(version)(support("yes", "Vendor")))).toBe(true)
    expect(
      Result.getOrThrow(EventsPage.decode(version, options)({ value: [support(true), support("True")] })),
    ).toMatchObject({ items: [support(true)], invalid: [{ index: 1, path: "properties.enableMicrosoftSupport" }] })
  })

  it("has its own arbitrary events and pages", () => {
    const seen = new Set<unknown>()
    FastCheck.assert(
      FastCheck.property(
        EventArbitrary.event(version, options),
        EventArbitrary.page(version, options),
        (event, page) => {
          seen.add(HealthEvent.vendorSupport(event, "Microsoft"))
          expect(Result.getOrThrow(decode(event))).toBe(event)
          expect(Result.getOrThrow(EventsPage.decode(version, options)(page)).invalid).toEqual([])
        },
      ),
    )
    expect(seen).toEqual(new Set([true, false, undefined]))
  })
})

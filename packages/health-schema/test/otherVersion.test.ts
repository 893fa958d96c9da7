/** Every function that takes a version also takes one that the document does not list. */
import {
  ApiVersion,
  Changes,
  EventArbitrary,
  EventJsonSchema,
  EventUnion,
  EventsPage,
  HealthEvent,
} from "@vigil/health-schema"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { describe, expect, expectTypeOf, it } from "vitest"

const version = ApiVersion.other("2026-01-01")
const decode = HealthEvent.decode(version)
const sent = { name: "A", properties: { billingId: "42", status: "Active" } }
const event = Either.getOrThrow(decode(sent))

describe("the schema of versions", () => {
  const read = Schema.decodeUnknownEither(ApiVersion.ApiVersion)

  it.each([["2025-05-01"], ["2025-04-01"], ["2026-01-01"], ["1"]])("accepts %s", (text) => {
    expect(Either.getOrThrow(read(text))).toBe(text)
    expect(Schema.is(ApiVersion.ApiVersion)(text)).toBe(true)
  })

  it.each([[""], [7], [null]])("refuses %j", (value) => {
    expect(Either.isLeft(read(value))).toBe(true)
  })

  it("tells known versions from others", () => {
    expect([...ApiVersion.all, version].map(Schema.is(ApiVersion.Known))).toEqual([true, true, false])
    expect([...ApiVersion.all, version].map(Schema.is(ApiVersion.Other))).toEqual([false, false, true])
    expectTypeOf<ApiVersion.ApiVersion>().toEqualTypeOf<ApiVersion.Known | ApiVersion.Other>()
  })
})

describe("other", () => {
  it("throws on an empty text", () => {
    expect(() => ApiVersion.other("")).toThrow("must not be empty")
  })

  it("throws on a known version, whose events may have another shape", () => {
    expect(() => ApiVersion.other("2025-04-01")).toThrow("known version")
    expect(() => ApiVersion.other(ApiVersion.latest)).toThrow("known version")
  })

  it("is not accepted as a plain text, nor as a known version", () => {
    expectTypeOf(version).toEqualTypeOf<ApiVersion.Other>()
    expectTypeOf<ApiVersion.Other>().not.toExtend<ApiVersion.Known>()
    // @ts-expect-error -- a text has not been checked
    expectTypeOf(HealthEvent.decode("2026-01-01")).toBeFunction()
  })
})

describe("an event of another version", () => {
  it("has the type of the latest version", () => {
    expectTypeOf(event).toEqualTypeOf<HealthEvent.HealthEvent>()
    expectTypeOf(HealthEvent.decode(version)).toEqualTypeOf(HealthEvent.decode(ApiVersion.latest))
    expectTypeOf<EventsPage.EventsPage<ApiVersion.Other>>().toEqualTypeOf<EventsPage.EventsPage>()
    expectTypeOf<ApiVersion.SchemaVersion<ApiVersion.Other>>().toEqualTypeOf<ApiVersion.Latest>()
    expectTypeOf<ApiVersion.SchemaVersion<"2025-04-01">>().toEqualTypeOf<"2025-04-01">()
  })

  it("is checked as the latest version", () => {
    expect(event).toBe(sent)
    expect(Either.isLeft(decode({ properties: { billingId: 7 } }))).toBe(true)
    expect(ApiVersion.schemaVersion(version)).toBe(ApiVersion.latest)
    expect(ApiVersion.schemaVersion("2025-04-01")).toBe("2025-04-01")
  })

  it("encodes to itself", () => {
    expect(HealthEvent.encode(version)(event)).toBe(sent)
  })

  it("is decoded from a page", () => {
    const page = Either.getOrThrow(EventsPage.decode(version)({ value: [sent, { properties: { billingId: 7 } }] }))
    expect(page.items).toEqual([sent])
    expect(page.invalid).toMatchObject([{ index: 1, path: "properties.billingId" }])
  })

  it("is generated", () => {
    FastCheck.assert(
      FastCheck.property(EventArbitrary.event(version), EventArbitrary.page(version), (one, page) => {
        expect(Either.isRight(decode(one))).toBe(true)
        expect(Either.getOrThrow(EventsPage.decode(version)(page)).invalid).toEqual([])
      }),
    )
  })

  it("has the JSON Schema of the latest version", () => {
    expect(EventJsonSchema.event(version)).toEqual(EventJsonSchema.event(ApiVersion.latest))
    expect(EventJsonSchema.page(version)).toEqual(EventJsonSchema.page(ApiVersion.latest))
  })

  it("is compared and joined like any other", () => {
    const later = Either.getOrThrow(decode({ ...sent, properties: { ...sent.properties, status: "Resolved" } }))
    expect(Changes.between(event, later).fields).toMatchObject([{ path: "properties.status" }])
    expect(EventUnion.of([event, later])).toEqual(sent)
    expectTypeOf(EventUnion.of([event, later])).toEqualTypeOf<HealthEvent.HealthEvent>()
  })
})

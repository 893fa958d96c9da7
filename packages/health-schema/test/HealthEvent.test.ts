import { Enumerations, EventsPage, HealthEvent, OpenEnum } from "@vigil/health-schema"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const issueOf = (event: unknown) => Either.getOrThrow(Either.flip(HealthEvent.decode("2025-05-01")(event)))
const withProperties = (properties: object) => ({ name: "A", properties })

describe("an invalid event", () => {
  it.each([
    [withProperties({ priority: 24 }), "properties.priority"],
    [withProperties({ lastUpdateTime: "7/24/2020" }), "properties.lastUpdateTime"],
    [
      withProperties({ impact: [{ impactedRegions: [{}, { updates: [{ updateDateTime: 5 }] }] }] }),
      "properties.impact[0].impactedRegions[1].updates[0].updateDateTime",
    ],
    [withProperties({ eventTags: ["Final PIR", 3] }), "properties.eventTags[1]"],
  ])("%j is invalid at %s", (event, path) => {
    expect(issueOf(event).path).toBe(path)
  })

  it.each([
    [{ priority: 24 }, "must be a whole number from 0 to 23"],
    [{ priority: "1" }, "must be a number, not a string"],
    [{ duration: 1.5 }, "must be a whole number from -2147483648 to 2147483647"],
    [{ newRate: Number.POSITIVE_INFINITY }, "must be a finite number"],
    [{ eventType: 7 }, "must be a string, not a number"],
    [{ impact: {} }, "must be an array, not an object"],
    [{ article: 7 }, "must be an object, not a number"],
    [{ lastUpdateTime: "7/24/2020" }, "must be an ISO 8601 date-time"],
  ])("%j has a readable reason", (properties, reason) => {
    const issue = issueOf(withProperties(properties))
    expect(issue.reason).toMatch(reason)
    expect(issue.message).toBe(`${issue.path} ${issue.reason}.`)
  })
})

describe("parameters of an article and of a link", () => {
  it.each([[["a", 1, null]], ["text"], [7], [false], [null], [{ deep: [{}] }]])("are kept as %j", (parameters) => {
    const sent = withProperties({ article: { parameters }, links: [{ parameters }] })
    expect(Either.getOrThrow(HealthEvent.decode("2025-05-01")(sent))).toBe(sent)
    expect(Schema.decodeUnknownSync(HealthEvent.schema("2025-05-01"))(sent)).toEqual(sent)
  })
})

describe("keys of an event", () => {
  it.each([
    [{ id: "/Events/A", name: "AB-1" }, "ab-1", "/events/a"],
    [{ id: "", name: "AB-1" }, "ab-1", "ab-1"],
    [{ id: "/A", name: null }, undefined, "/a"],
    [{ id: 7, name: "" }, undefined, undefined],
    ["text", undefined, undefined],
    [null, undefined, undefined],
  ])("of %j are the tracking ID %j and the record %j", (event, trackingKey, recordKey) => {
    expect([HealthEvent.trackingKey(event), HealthEvent.recordKey(event)]).toEqual([trackingKey, recordKey])
    expect(HealthEvent.eventKey(event)).toBe(trackingKey ?? recordKey)
  })
})

describe("knownLevel", () => {
  it.each([
    [{ eventLevel: "error", level: "Critical" }, "Error"],
    [{ eventLevel: "Sev0", level: "CRITICAL" }, "Critical"],
    [{ eventLevel: "Sev0", level: "" }, undefined],
    [{ eventLevel: null }, undefined],
  ])("of %j is %s", (properties, level) => {
    expect(HealthEvent.knownLevel({ properties })).toBe(level)
  })

  it("is undefined for an event without properties", () => {
    expect(HealthEvent.knownLevel({})).toBeUndefined()
  })
})

describe("vendorSupport", () => {
  it("reads the field with the vendor's name", () => {
    const event = Either.getOrThrow(HealthEvent.decode("2025-05-01")(withProperties({ enableAcmeSupport: true })))
    expect(HealthEvent.vendorSupport(event, "Acme")).toBe(true)
    expect(HealthEvent.vendorSupport(event)).toBeUndefined()
    expect(HealthEvent.vendorSupport({})).toBeUndefined()
    const own = Either.getOrThrow(HealthEvent.decode("2025-05-01")(withProperties({ enableVendorSupport: false })))
    expect(HealthEvent.vendorSupport(own)).toBe(false)
    expect(HealthEvent.vendorSupport(own, "Acme")).toBeUndefined()
    expect(HealthEvent.vendorSupport({ properties: null })).toBeUndefined()
    const odd = Either.getOrThrow(HealthEvent.decode("2025-05-01")(withProperties({ enableAcmeSupport: "yes" })))
    expect(HealthEvent.vendorSupport(odd, "Acme")).toBeUndefined()
  })
})

describe("enumerations", () => {
  it("find known values in any case, and no others", () => {
    expect(OpenEnum.find(Enumerations.EventType, "serviceissue")).toBe("ServiceIssue")
    expect(OpenEnum.find(Enumerations.EventType, "Meteor")).toBeUndefined()
    expect(OpenEnum.find(Enumerations.EventType, null)).toBeUndefined()
    expect(OpenEnum.find(HealthEvent.eventTypes("2025-04-01"), "Billing")).toBeUndefined()
  })

  it("recognize a value only in its own spelling", () => {
    const is = (status: HealthEvent.Properties["status"]) => OpenEnum.isKnown(Enumerations.EventStatus, status)
    expect([is("Active"), is("Resolved"), is("active"), is(""), is(null), is(undefined)]).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })

  it("compare without regard to case", () => {
    type Status = OpenEnum.OpenEnum<"Active" | "Resolved"> | undefined
    const isActive = (status: Status) => OpenEnum.equals(status, "Active")
    expect(["ACTIVE", "Resolved", undefined].map(isActive)).toEqual([true, false, false])
  })
})

describe("a page", () => {
  const decode = EventsPage.decode("2025-05-01")

  it.each([
    ["https://example.com/next", "https://example.com/next"],
    [" /next ", " /next "],
    ["", null],
    [" \t", null],
    [null, null],
  ])("has a next link unless it is blank or absent: %j", (nextLink, expected) => {
    const body = { value: [], nextLink, count: 0 }
    const page = Either.getOrThrow(decode(body))
    expect(Option.getOrNull(page.nextLink)).toBe(expected)
    expect(page.raw).toBe(body)
    expect(Option.isNone(Either.getOrThrow(decode({ value: [] })).nextLink)).toBe(true)
  })

  it.each([[[]], [7], ["text"], [null], [{}], [{ value: null }], [{ value: {} }], [{ value: [], nextLink: 7 }]])(
    "%j is invalid, not an empty page",
    (body) => {
      expect(Either.isLeft(decode(body))).toBe(true)
    },
  )
})

import { Enumerations, Events, EventsPage, HealthEvent, InvalidField, OpenEnum, Region } from "@vigil/health-schema"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

describe("an invalid event", () => {
  const issueOf = (properties: object) =>
    Result.getOrThrow(Result.flip(HealthEvent.decode("2025-05-01")({ name: "A", properties })))

  it.each([
    [{ priority: 24 }, "priority must be a whole number from 0 to 23."],
    [{ priority: "1" }, "priority must be a number, not a string."],
    [{ duration: 1.5 }, "duration must be a whole number from -2147483648 to 2147483647."],
    [{ newRate: Number.POSITIVE_INFINITY }, "newRate must be a finite number."],
    [{ eventTags: ["Final PIR", 3] }, "eventTags[1] must be a string, not a number."],
    [{ impact: {} }, "impact must be an array, not an object."],
    [{ article: 7 }, "article must be an object, not a number."],
    [
      { impact: [{ impactedRegions: [{}, { updates: [{ updateDateTime: "7/24/2020" }] }] }] },
      "impact[0].impactedRegions[1].updates[0].updateDateTime must be an ISO 8601 date-time.",
    ],
  ])("%j fails with the path and the reason", (properties, message) => {
    expect(issueOf(properties).message).toBe(`properties.${message}`)
  })

  it("has an error that survives encoding as JSON and decoding", () => {
    const schema = Schema.fromJsonString(InvalidField.InvalidField)
    const error = issueOf({ priority: 24 })
    const decoded = Schema.decodeSync(schema)(Schema.encodeSync(schema)(error))
    expect(decoded).toBeInstanceOf(InvalidField.InvalidField)
    expect(decoded).toEqual(error)
  })
})

it("regions are compared without regard to case, spaces and dashes", () => {
  for (const other of ["westeurope", "west-europe", " WEST  EUROPE "])
    expect(Region.equals("West Europe", other)).toBe(true)
  for (const other of ["West Europe 2", "Global", "", null]) expect(Region.equals("West Europe", other)).toBe(false)
})

describe("keys of an event", () => {
  it.each([
    [{ id: "/Events/A", name: "AB-1" }, "ab-1", "/events/a"],
    [{ id: "/A", name: null }, undefined, "/a"],
    [{ id: 7, name: "" }, undefined, undefined],
    [null, undefined, undefined],
  ])("of %j are the tracking ID %j and the record %j", (event, trackingKey, recordKey) => {
    expect([HealthEvent.trackingKey(event), HealthEvent.recordKey(event)]).toEqual([trackingKey, recordKey])
    expect(HealthEvent.eventKey(event)).toBe(trackingKey ?? recordKey)
  })
})

describe("isResolved", () => {
  it.each([
    ["Resolved", true],
    ["RESOLVED", true],
    ["Active", false],
    ["", false],
    ["InProgress", false],
    ["Active ", false],
    [null, false],
    [undefined, false],
  ])("of the status %j is %s", (status, expected) => {
    const properties = status === undefined ? {} : { status }
    expect(HealthEvent.isResolved({ properties })).toBe(expected)
    // A missing start does not hide the event either.
    expect(Events.isActiveAt(DateTime.makeUnsafe(0))({ properties })).toBe(!expected)
  })

  it("is false without properties", () => {
    expect([HealthEvent.isResolved({}), HealthEvent.isResolved({ properties: null })]).toEqual([false, false])
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
})

describe("vendorSupport", () => {
  it("reads the field with the vendor's name", () => {
    const read = (properties: object, vendor?: string) =>
      HealthEvent.vendorSupport(Result.getOrThrow(HealthEvent.decode("2025-05-01")({ properties })), vendor)
    expect(read({ enableAcmeSupport: true }, "Acme")).toBe(true)
    expect(read({ enableVendorSupport: false })).toBe(false)
    expect(read({ enableAcmeSupport: true })).toBeUndefined()
    expect(read({ enableAcmeSupport: "yes" }, "Acme")).toBeUndefined()
    expect(HealthEvent.vendorSupport({})).toBeUndefined()
  })
})

describe("enumerations", () => {
  it("find known values in any case, and no others", () => {
    expect(OpenEnum.find(Enumerations.EventType, "serviceissue")).toBe("ServiceIssue")
    expect(OpenEnum.find(Enumerations.EventType, null)).toBeUndefined()
    expect(OpenEnum.find(HealthEvent.eventTypes("2025-04-01"), "Billing")).toBeUndefined()
  })
})

describe("a page", () => {
  const decode = EventsPage.decode("2025-05-01")

  it.each([
    ["https://example.com/next", "https://example.com/next"],
    [" /next ", " /next "],
    ["", undefined],
    [null, undefined],
  ])("has a next link unless it is blank or absent: %j", (nextLink, expected) => {
    const body = { value: [], nextLink, count: 0 }
    const page = Result.getOrThrow(decode(body))
    expect(page.nextLink).toBe(expected)
    expect(page.raw).toBe(body)
    expect(Result.getOrThrow(decode({ value: [] })).nextLink).toBeUndefined()
  })

  it.each([[[]], [7], ["text"], [null], [{}], [{ value: null }], [{ value: {} }], [{ value: [], nextLink: 7 }]])(
    "%j is invalid, not an empty page",
    (body) => {
      expect(Result.isFailure(decode(body))).toBe(true)
    },
  )
})

it.each([
  ["healthadvisory", true],
  ["Billing", true],
  ["ServiceIssue", false],
  ["Surprise", false],
])("an event of the type %s is a notice: %s", (eventType, isNotice) => {
  expect(HealthEvent.isNotice({ properties: { eventType } })).toBe(isNotice)
})

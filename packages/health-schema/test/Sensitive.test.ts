import { type HealthEvent, Sensitive } from "@vigil/health-schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { holds, impact, places } from "./impacts.js"

const updates = [{ impactedRegions: [{}, { updates: [{ summary: "An update." }] }] }]

const eventWith = (properties: HealthEvent.Properties): HealthEvent.HealthEvent => ({ properties })

const all = ["description", "summary", "updates"] as const

describe("withheldTexts", () => {
  it.each([
    ["a security advisory without the flag", eventWith({ eventType: "securityadvisory" }), all],
    ["empty and null texts", eventWith({ isEventSensitive: true, description: "", summary: null, impact: [] }), all],
    [
      "a complete sensitive event",
      eventWith({ isEventSensitive: true, description: "D", summary: "S", impact: updates }),
      [],
    ],
    [
      "regions without updates, and services without regions",
      eventWith({
        isEventSensitive: true,
        description: "D",
        summary: "S",
        impact: [{}, { impactedRegions: null }, { impactedRegions: [{}, { updates: [] }, { updates: null }] }],
      }),
      ["updates"],
    ],
    ["any other event", eventWith({ isEventSensitive: false }), []],
    [
      "a security advisory that is not sensitive",
      eventWith({ eventType: "SecurityAdvisory", isEventSensitive: false }),
      [],
    ],
    ["an event without properties", {}, []],
  ] as ReadonlyArray<readonly [string, HealthEvent.HealthEvent, ReadonlyArray<Sensitive.WithheldText>]>)(
    "returns the withheld texts of %s",
    (_, event, expected) => {
      expect(Sensitive.withheldTexts(event)).toEqual(expected)
      expect(Sensitive.hasWithheldTexts(event)).toBe(expected.length > 0)
    },
  )
})

describe("addDetails", () => {
  const details = eventWith({
    isEventSensitive: true,
    title: "Of the details",
    description: "D",
    summary: "S",
    reason: "R",
    impact: updates,
  })

  it("adds withheld texts, and keeps listed ones", () => {
    // The details have two regions without a name, which are merged.
    const joined = [{ impactedRegions: [{ updates: [{ summary: "An update." }] }] }]
    const listed = eventWith({
      isEventSensitive: true,
      title: "T",
      summary: "",
      reason: null,
      impact: [{ impactedRegions: [{}] }],
    })
    expect(Sensitive.addDetails({ ...listed, id: "/listed" }, { ...details, id: "/details", name: "N" })).toEqual({
      id: "/listed",
      name: "N",
      properties: { isEventSensitive: true, title: "T", description: "D", summary: "S", reason: "R", impact: joined },
    })
  })

  it("keeps the listed impact if it has updates, or if the details have no impact", () => {
    const impact = [{ impactedService: "Storage", impactedRegions: [{ updates: [{ summary: "Own." }] }] }]
    const listed = eventWith({ isEventSensitive: true, impact })
    expect(Sensitive.addDetails(listed, details).properties?.impact).toEqual(impact)
    const bare = eventWith({ isEventSensitive: true, impact: [{ impactedService: "Storage" }] })
    expect(Sensitive.addDetails(bare, eventWith({ impact: [] }))).toEqual(bare)
  })

  it("treats empty lists and empty records as empty", () => {
    const faqs = [{ question: "Q", answer: "A" }]
    const article = { articleContent: "Long.", articleId: "7" }
    const listed = eventWith({
      isEventSensitive: true,
      faqs: [],
      article: { articleContent: "", parameters: { a: null, b: [], c: {} } },
      recommendedActions: { message: "", actions: [], localeCode: "en" },
      enableChatWithUs: false,
      priority: 0,
      links: [],
    })
    const recommendedActions = { message: "Rotate.", actions: [{}], localeCode: "de" }
    const detailed = eventWith({ faqs, article, recommendedActions, enableChatWithUs: true, priority: 3, links: null })
    expect(Sensitive.addDetails(listed, detailed).properties).toEqual({
      isEventSensitive: true,
      faqs,
      article: { ...article, parameters: { a: null, b: [], c: {} } },
      recommendedActions: { ...recommendedActions, localeCode: "en" },
      enableChatWithUs: false,
      priority: 0,
      links: [],
    })
  })

  it("fills fields of any name and depth", () => {
    const nested = (inner: string) =>
      eventWith(JSON.parse(`{"article":${'{"__proto__":'.repeat(20_000)}${inner}${"}".repeat(20_000)}}`))
    const deep = Sensitive.addDetails(nested('{"own":"1","empty":""}'), nested('{"own":"2","empty":"3"}'))
    let found: unknown = deep.properties?.article
    while (typeof found === "object" && found !== null && Object.hasOwn(found, "__proto__"))
      found = Object.getOwnPropertyDescriptor(found, "__proto__")?.value
    expect(found).toEqual({ own: "1", empty: "3" })
  })

  it("keeps every service, region and subscription of the list and the details", () => {
    fc.assert(
      fc.property(impact, impact, fc.boolean(), (listed, detailed, isEventSensitive) => {
        const event = eventWith({ isEventSensitive, impact: listed })
        const details = eventWith({ impact: detailed })
        const found = places(Sensitive.addDetails(event, details).properties?.impact)
        const expected = Sensitive.withheldTexts(event).includes("updates") ? [listed, detailed] : [listed]
        expect(expected.flatMap(places).filter((place) => !holds(found, place))).toEqual([])
      }),
    )
  })

  it("does not change an event if the details are the event itself or empty", () => {
    const event = eventWith({ isEventSensitive: true, summary: "", reason: null, impact: updates })
    expect(Sensitive.addDetails(event, event)).toEqual(event)
    expect(Sensitive.addDetails(event, {})).toEqual(event)
    expect(Sensitive.addDetails({ properties: null }, event)).toEqual(event)
  })
})

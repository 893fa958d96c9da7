import { type HealthEvent, Sensitive } from "@vigil/health-schema"
import { describe, expect, it } from "vitest"

const updates = [{ impactedRegions: [{}, { updates: [{ summary: "An update." }] }] }]

const of = (properties: HealthEvent.Properties): HealthEvent.HealthEvent => ({ properties })

describe("withheld", () => {
  it.each([
    ["a sensitive event in a list", of({ isEventSensitive: true, title: "T" }), ["description", "summary", "updates"]],
    [
      "a security advisory without the flag",
      of({ eventType: "securityadvisory" }),
      ["description", "summary", "updates"],
    ],
    [
      "empty and null texts",
      of({ isEventSensitive: true, description: "", summary: null, impact: [] }),
      ["description", "summary", "updates"],
    ],
    ["one that has its updates", of({ isEventSensitive: true, description: "D", impact: updates }), ["summary"]],
    ["one that is whole", of({ isEventSensitive: true, description: "D", summary: "S", impact: updates }), []],
    [
      "regions without updates, and services without regions",
      of({
        isEventSensitive: true,
        description: "D",
        summary: "S",
        impact: [{}, { impactedRegions: null }, { impactedRegions: [{}, { updates: [] }, { updates: null }] }],
      }),
      ["updates"],
    ],
    ["any other event", of({ isEventSensitive: false }), []],
    [
      "a security advisory that says it is not sensitive",
      of({ eventType: "SecurityAdvisory", isEventSensitive: false }),
      [],
    ],
    ["an event without properties", {}, []],
  ] as ReadonlyArray<readonly [string, HealthEvent.HealthEvent, ReadonlyArray<Sensitive.Text>]>)(
    "tells of %s",
    (_, event, expected) => {
      expect(Sensitive.withheld(event)).toEqual(expected)
      expect(Sensitive.isWithheld(event)).toBe(expected.length > 0)
    },
  )
})

describe("reveal", () => {
  const details = of({
    isEventSensitive: true,
    title: "Of the details",
    description: "D",
    summary: "S",
    reason: "R",
    impact: updates,
  })

  it("adds what was withheld, and leaves what was told", () => {
    const listed = of({
      isEventSensitive: true,
      title: "T",
      summary: "",
      reason: null,
      impact: [{ impactedRegions: [{}] }],
    })
    expect(Sensitive.reveal({ ...listed, id: "/listed" }, { ...details, id: "/details", name: "N" })).toEqual({
      id: "/listed",
      name: "N",
      properties: { isEventSensitive: true, title: "T", description: "D", summary: "S", reason: "R", impact: updates },
    })
  })

  it("keeps the impact of a list that has updates, and of details that have none", () => {
    const impact = [{ impactedService: "Storage", impactedRegions: [{ updates: [{ summary: "Own." }] }] }]
    const listed = of({ isEventSensitive: true, impact })
    expect(Sensitive.reveal(listed, details).properties?.impact).toEqual(impact)
    const bare = [{ impactedService: "Storage" }]
    expect(
      Sensitive.reveal(of({ isEventSensitive: true, impact: bare }), of({ impact: [] })).properties?.impact,
    ).toEqual(bare)
    expect(Sensitive.reveal(of({ isEventSensitive: true, impact: bare }), {}).properties?.impact).toEqual(bare)
  })

  it("changes nothing of an event that is not sensitive, but for what it lacks", () => {
    expect(
      Sensitive.reveal(of({ title: "T", impact: [{ impactedService: "DNS" }] }), details).properties,
    ).toMatchObject({
      title: "T",
      impact: [{ impactedService: "DNS" }],
    })
  })
})

import { describe, expect, it } from "vitest"
import * as Severity from "../src/events/Severity.js"

describe("the level of an event", () => {
  it.each([
    [{ eventLevel: "Critical", level: "Warning" }, "Critical"],
    [{ eventLevel: "Severe", level: "Warning" }, "Warning"],
    [{ eventLevel: "", level: "Severe" }, "Severe"],
    [{ eventLevel: "Severe", level: "Grave" }, "Severe"],
    [{ eventLevel: null }, undefined],
    [null, undefined],
  ])("of %j is %s", (properties, level) => {
    expect(Severity.level({ properties })).toBe(level)
  })

  it.each([
    [{ eventLevel: "error" }, "Error"],
    [{ eventLevel: "Severe" }, "Other"],
    [null, "Other"],
  ])("of %j has the severity %s", (properties, severity) => {
    expect(Severity.fromEvent({ properties })).toBe(severity)
  })
})

describe("the worst severity", () => {
  it.each([
    [[], "Other"],
    [["Other", "Informational"], "Informational"],
    [["Warning", "Critical", "Error"], "Critical"],
    // More than a function call can take as arguments.
    [[...Array.from({ length: 200_000 }, () => "Warning" as const), "Error"], "Error"],
  ] as const)("is the highest", (severities, worst) => {
    expect(Severity.worst(severities)).toBe(worst)
  })
})

describe("an event", () => {
  it.each(["PlannedMaintenance", "healthadvisory", "RCA", "SecurityAdvisory", "Billing"])(
    "of the type %s is a notice",
    (eventType) => {
      expect(Severity.isNotice({ properties: { eventType } })).toBe(true)
    },
  )

  it.each([{ properties: { eventType: "ServiceIssue" } }, { properties: { eventType: "Surprise" } }, {}])(
    "with another type is an issue: %j",
    (event) => {
      expect(Severity.isNotice(event)).toBe(false)
    },
  )
})

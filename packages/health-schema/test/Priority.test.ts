import { Enumerations, type HealthEvent, Priority, Timestamp } from "@vigil/health-schema"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const types = ["ServiceIssue", "PlannedMaintenance", "HealthAdvisory"] as const
const { known: statuses } = Enumerations.EventStatus
const stamp = Schema.decodeSync(Timestamp.Timestamp)
const { known: levels } = Enumerations.EventLevel

const event = (
  eventType?: string,
  status?: string,
  eventLevel?: string,
  priority?: number,
): HealthEvent.HealthEvent => ({
  properties: {
    ...(eventType === undefined ? {} : { eventType }),
    ...(status === undefined ? {} : { status }),
    ...(eventLevel === undefined ? {} : { eventLevel }),
    ...(priority === undefined ? {} : { priority }),
  },
})

const ranked = types.flatMap((type) => statuses.flatMap((status) => levels.map((level) => event(type, status, level))))

describe("derive", () => {
  it("returns 0 to 23, each once, in the order of the three rules", () => {
    expect(ranked.map((one) => Option.getOrNull(Priority.derive(one)))).toEqual(Array.from({ length: 24 }, (_, n) => n))
    expect(Priority.derive(event("serviceissue", "Paused", "critical"))).toEqual(Option.some(0))
  })

  it.each([
    ["another type", event("RCA", "Active", "Critical")],
    ["an unknown level", event("ServiceIssue", "Active", "Mild")],
    ["no properties", {}],
  ])("returns no value for %s", (_, one) => {
    expect(Priority.derive(one)).toEqual(Option.none())
  })
})

describe("priority", () => {
  it("is the sent priority, else the derived one", () => {
    expect(Priority.priority(event("ServiceIssue", "Active", "Critical", 17))).toEqual(Option.some(17))
    expect(Priority.priority(event("HealthAdvisory", "Resolved", "Informational"))).toEqual(Option.some(23))
    expect(Priority.priority(event("RCA"))).toEqual(Option.none())
  })
})

it("byPriority sorts the highest priority first, and events without a priority last", () => {
  const sorted = [event("RCA"), event("RCA", "Active", "Error", 3), ...ranked.slice(1, 5).toReversed()]
  expect(sorted.toSorted(Priority.byPriority).map((one) => Option.getOrNull(Priority.priority(one)))).toEqual([
    1,
    2,
    3,
    3,
    4,
    null,
  ])
})

it("byImportance sorts unresolved events, then issues, then the highest level, then the latest update first", () => {
  const at = (hour: number, type: string, status: string, level: string) => {
    const { properties } = event(type, status, level)
    return { properties: { ...properties, lastUpdateTime: stamp(`2026-01-01T0${hour}:00:00Z`) } }
  }
  const sorted = [
    at(1, "EmergingIssues", "Active", "Critical"),
    at(3, "ServiceIssue", "Active", "Error"),
    at(2, "ServiceIssue", "Active", "Error"),
    at(1, "ServiceIssue", "Active", "Mild"),
    at(1, "SecurityAdvisory", "Active", "Critical"),
    at(1, "ServiceIssue", "Resolved", "Critical"),
  ]
  expect(sorted.toReversed().toSorted(Priority.byImportance)).toEqual(sorted)
})

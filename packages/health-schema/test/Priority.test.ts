import { Enumerations, type HealthEvent, Priority } from "@vigil/health-schema"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"

const types = ["ServiceIssue", "PlannedMaintenance", "HealthAdvisory"] as const
const { known: statuses } = Enumerations.EventStatus
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

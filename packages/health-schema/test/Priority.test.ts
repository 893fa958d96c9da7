import { ApiVersion, Enumerations, EventArbitrary, type HealthEvent, Priority } from "@vigil/health-schema"
import * as FastCheck from "fast-check"
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

describe("byPriority", () => {
  const compare = Priority.byPriority
  const events = FastCheck.oneof(
    EventArbitrary.event(ApiVersion.latest),
    FastCheck.constantFrom(...ranked),
    FastCheck.record({ priority: FastCheck.integer({ min: 0, max: 23 }) }).map((properties) => ({ properties })),
  )
  const key = (one: HealthEvent.HealthEvent) => Option.getOrElse(Priority.priority(one), () => 24)

  it("compares one key per event", () => {
    FastCheck.assert(
      FastCheck.property(events, events, (a, b) => {
        expect(compare(a, b)).toBe(Math.sign(key(a) - key(b)))
      }),
    )
  })
})

/** Rules for each type of event of every world. */
import { Events } from "@vigil/health-schema"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import { expectTime, millis, now, ofType } from "./worldEvents.js"

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

describe("a service issue", () => {
  const issues = () => ofType("ServiceIssue")
  const active = () => issues().filter(({ properties }) => properties.status === "Active")
  const resolved = () => issues().filter(({ properties }) => properties.status === "Resolved")

  it("is active only if it was updated in the last eight hours", () => {
    expect(active().length).toBeGreaterThan(5)
    expect(resolved().length).toBeGreaterThan(active().length)
    expect(active().length + resolved().length).toBe(issues().length)
    for (const { lastUpdate } of active()) expect(now - lastUpdate).toBeLessThan(8 * hour)
    expect(resolved().filter(({ lastUpdate }) => now - lastUpdate < 8 * hour).length).toBeGreaterThan(0)
  })

  it("ends with its last update if it is resolved", () => {
    for (const { lastUpdate, properties } of resolved()) {
      const start = millis(properties.impactStartTime)
      expectTime(properties.impactMitigationTime, lastUpdate)
      expect(Math.abs((properties.duration ?? 0) - (lastUpdate - start) / 1000)).toBeLessThanOrEqual(1)
      expect(lastUpdate - start).toBeGreaterThan(4 * 35 * minute)
    }
    const ends = new Set(active().map(({ properties }) => properties.impactMitigationTime))
    expect(ends).toEqual(new Set([undefined, "0001-01-01T00:00:00"]))
    for (const { properties } of active()) expect(properties.duration).toBeUndefined()
  })

  it("has a high incident rate only if it is critical", () => {
    const rated = issues().filter(({ properties }) => properties.isHIR)
    expect(rated.length).toBeGreaterThan(3)
    for (const { properties } of issues()) {
      const stage = properties.status === "Active" ? "active" : "resolved"
      expect(properties.hirStage).toBe(properties.isHIR ? stage : undefined)
      expect(properties.level).toBe(properties.eventLevel === "Critical" ? "Critical" : "Warning")
      if (properties.isHIR) expect(properties.eventLevel).toBe("Critical")
    }
    const levels = new Set(issues().map(({ properties }) => properties.eventLevel))
    expect(levels).toEqual(new Set(["Critical", "Error", "Warning", "Informational"]))
  })
})

describe("the other events of a world", () => {
  it("have maintenance with a window that is over if it is resolved", () => {
    for (const { event, properties } of ofType("PlannedMaintenance")) {
      const [start, end] = [millis(properties.impactStartTime), millis(properties.impactMitigationTime)]
      expect(end - start).toBeGreaterThanOrEqual(2 * hour)
      expect(end - start).toBeLessThanOrEqual(12 * hour)
      expect(Math.abs((properties.duration ?? 0) - (end - start) / 1000)).toBeLessThan(1)
      expect(properties).toMatchObject({ status: end < now ? "Resolved" : "Active", reason: "Planned" })
      expect(Option.isSome(Events.interval(event))).toBe(true)
    }
  })

  it("have advisories, and some announce a retirement", () => {
    const advisories = ofType("HealthAdvisory")
    for (const { lastUpdate, properties } of advisories) {
      if (properties.status === "Active") expect(properties.impactMitigationTime).toBe("")
      else expectTime(properties.impactMitigationTime, lastUpdate)
      expect(millis(properties.impactStartTime)).toBeLessThanOrEqual(lastUpdate - 24 * hour)
      expect(properties.title?.startsWith("Retirement notice")).toBe(properties.eventSubType === "Retirement")
      const [, deadline] = /by (\d{4}-\d\d-\d\d)$/.exec(properties.title ?? "") ?? []
      if (properties.eventSubType === undefined) continue
      expect(properties.summary).toMatch(new RegExp(` ends on ${deadline}\\.$`))
      expect(Date.parse(deadline ?? "")).toBeGreaterThan(now + 28 * day)
      expect(Date.parse(deadline ?? "")).toBeLessThan(now + 401 * day)
    }
    expect(new Set(advisories.map(({ properties }) => properties.eventSubType))).toEqual(
      new Set([undefined, "Retirement"]),
    )
  })
})

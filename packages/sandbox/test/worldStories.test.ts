/** Rules for each type of event of every world. */
import { Events } from "@vigil/health-schema"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import { expectTime, millis, now, ofType, valuesOf } from "./worldEvents.js"

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

const text = expect.stringMatching(/\w/)

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

  it("says whether it is active", () => {
    for (const { properties } of active()) {
      expect(properties.title).toMatch(/^Active: /)
      expect(properties.eventTags).toEqual(["Action Recommended"])
      expect(properties.article?.articleContent).toContain("Recovery is in progress.")
    }
    for (const { properties } of resolved()) {
      expect(properties.title).not.toMatch(/^Active/)
      expect(["Preliminary PIR", "Final PIR", "False Positive"]).toContain(properties.eventTags?.[0])
      expect(properties.article?.articleContent).toContain("Service was restored in full.")
    }
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

  it("has an update every 35 minutes in each region, and four if it is resolved", () => {
    for (const { properties, regions } of issues())
      for (const [region, { lastUpdateTime, updates }] of regions.entries()) {
        const times = (updates ?? []).map(({ updateDateTime }) => millis(updateDateTime))
        const start = millis(properties.impactStartTime)
        for (const [index, time] of times.toReversed().entries())
          expect(Math.abs(time - start - (region + index * 35) * minute)).toBeLessThan(2000)
        expect(millis(lastUpdateTime)).toBeGreaterThan(start)
      }
    expect(new Set(active().map(({ regions }) => regions[0]?.updates?.length))).toEqual(new Set([1, 2, 3]))
    expect(new Set(resolved().map(({ regions }) => regions[0]?.updates?.length))).toEqual(new Set([4]))
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

  it("recommends actions, answers a question and links to more", () => {
    const link = (type: string, trackingId: unknown) => ({
      type,
      bladeName: expect.stringMatching(/Blade$/),
      extensionName: "Vendor_Health",
      displayText: { value: text, localizedValue: text },
      parameters: expect.objectContaining({ trackingId }),
    })
    for (const { event, properties } of issues())
      expect(properties).toMatchObject({
        header: text,
        recommendedActions: {
          message: text,
          localeCode: "en",
          actions: [1, 2].map((groupId) => ({ actionText: text, groupId })),
        },
        faqs: [{ question: text, answer: text, localeCode: "en" }],
        links: [link("Hyperlink", event.name), link("Button", event.name)],
        article: {
          articleId: `${event.name}-1`,
          parameters: { severity: properties.eventLevel, autoRefresh: "False" },
        },
        externalIncidentId: expect.stringMatching(/^\d{9}$/),
      })
  })

  it("says what happened, when and where", () => {
    for (const { impact, properties, regions } of issues()) {
      const service = impact[0]?.impactedService ?? ""
      const names = regions.map(({ impactedRegion }) => impactedRegion)
      const places = names.join(", ").replace(/, ([^,]+)$/, " and $1")
      expect(properties.title).toMatch(new RegExp(`^(Active: )?${service}: .+ in ${places}$`))
      const start = new Date(millis(properties.impactStartTime)).toISOString().slice(0, 16).replace("T", " ")
      expect(properties.summary).toMatch(new RegExp(`^Starting ${start} UTC, customers may see .+\\.$`))
      expect(properties.description).toMatch(new RegExp(`${service} in ${places} may see .+\\. Cause: .+\\.$`))
      expect(properties.article?.articleContent).toMatch(
        new RegExp(`<b>${service}</b> in ${places} may have seen .*caused by`),
      )
    }
  })

  it("has values of the service in its open fields", () => {
    expect(valuesOf(issues(), ({ properties }) => properties.eventSource)).toEqual(
      new Set(["ServiceHealth", "ResourceHealth"]),
    )
    expect(valuesOf(issues(), ({ properties }) => properties.reason)).toEqual(
      new Set(["Unplanned", "Customer-reported", "Monitoring"]),
    )
    expect(valuesOf(issues(), ({ properties }) => properties.impactType)).toEqual(
      new Set(["Availability", "Latency", "Management operations"]),
    )
    for (const field of ["platformInitiated", "enableChatWithUs"] as const)
      expect(valuesOf(issues(), ({ properties }) => properties[field])).toEqual(new Set([true, false]))
  })

  it("has the status of its event in its first region, and may be resolved earlier in others", () => {
    for (const { properties, regions } of issues())
      for (const [index, region] of regions.entries())
        expect(index === 0 ? [properties.status] : [properties.status, "Resolved"]).toContain(region.status)
    const others = active().flatMap(({ regions }) => regions.slice(1))
    expect(valuesOf(others, ({ status }) => status)).toEqual(new Set(["Active", "Resolved"]))
    const all = issues().flatMap(({ regions }) => regions)
    expect(valuesOf(all, ({ impactedTenants }) => JSON.stringify(impactedTenants))).toEqual(new Set([undefined, "[]"]))
  })

  it("tags its first update, and the one with a review", () => {
    for (const { regions } of resolved()) {
      const tags = regions[0]?.updates?.map(({ eventTags }) => eventTags)
      expect(tags).toEqual([["Preliminary PIR"], undefined, undefined, ["Action Recommended"]])
    }
  })
})

describe("the other events of a world", () => {
  it("have maintenance with a window that is over if it is resolved", () => {
    for (const { event, lastUpdate, properties, regions } of ofType("PlannedMaintenance")) {
      const [start, end] = [millis(properties.impactStartTime), millis(properties.impactMitigationTime)]
      expect(end - start).toBeGreaterThanOrEqual(2 * hour)
      expect(end - start).toBeLessThanOrEqual(12 * hour)
      expect(Math.abs((properties.duration ?? 0) - (end - start) / 1000)).toBeLessThan(1)
      expect(start).toBeGreaterThanOrEqual(lastUpdate - 20 * hour - 1000)
      expect(start).toBeLessThanOrEqual(lastUpdate + 240 * hour)
      expect(properties).toMatchObject({
        status: end < now ? "Resolved" : "Active",
        title: expect.stringMatching(/^Planned maintenance: .* \w+ for \w/),
        header: text,
        description: text,
        level: "Warning",
        eventLevel: expect.stringMatching(/^(Warning|Informational)$/),
        reason: "Planned",
        recommendedActions: { message: text, localeCode: "en", actions: [{ actionText: text, groupId: 1 }] },
      })
      const word = properties.status === "Active" ? "scheduled" : "done"
      for (const { status, updates } of regions) {
        expect(status).toBe(properties.status)
        expect(updates?.map(({ summary }) => summary)).toEqual([expect.stringMatching(new RegExp(` is ${word}\\.$`))])
      }
      expect(Option.isSome(Events.interval(event))).toBe(true)
    }
    const starts = ofType("PlannedMaintenance").map(
      ({ lastUpdate, properties }) => millis(properties.impactStartTime) - lastUpdate,
    )
    expect(Math.min(...starts)).toBeLessThan(0)
    expect(Math.max(...starts)).toBeGreaterThan(5 * day)
  })

  it("have advisories, and some announce a retirement", () => {
    const advisories = ofType("HealthAdvisory")
    for (const { lastUpdate, properties } of advisories) {
      if (properties.status === "Active") expect(properties.impactMitigationTime).toBe("")
      else expectTime(properties.impactMitigationTime, lastUpdate)
      expect(millis(properties.impactStartTime)).toBeLessThanOrEqual(lastUpdate - 24 * hour)
      expect(properties.title?.startsWith("Retirement notice")).toBe(properties.eventSubType === "Retirement")
      expect(properties).toMatchObject({
        summary: text,
        description: expect.stringMatching(/^<p>.*<a href="https:.*<\/p>$/),
        level: null,
        eventTags: ["Action Recommended"],
        enableVendorSupport: false,
      })
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

  it("have reviews after the end of the impact", () => {
    for (const { event, lastUpdate, properties, regions } of ofType("RCA")) {
      const [start, end] = [millis(properties.impactStartTime), millis(properties.impactMitigationTime)]
      expect(start).toBeLessThan(end)
      expect(end).toBeLessThanOrEqual(lastUpdate - 30 * hour)
      expect(start).toBeLessThanOrEqual(lastUpdate - 60 * hour)
      expect(properties).toMatchObject({
        status: "Resolved",
        header: null,
        title: expect.stringMatching(/^Post-incident review: \w/),
        summary: text,
        eventLevel: "Informational",
        eventTags: ["Final PIR"],
        article: {
          articleContent: expect.stringContaining("Service was restored in full."),
          articleId: `${event.name}-1`,
        },
        enableVendorSupport: false,
      })
      for (const { status, updates } of regions)
        expect([status, updates?.map(({ eventTags }) => eventTags)]).toEqual(["Resolved", [["Final PIR"]]])
    }
  })

  it("have emerging issues that started up to five hours before their update", () => {
    for (const { lastUpdate, properties, regions } of ofType("EmergingIssues")) {
      expect(properties).toMatchObject({ status: "Active", eventLevel: "Warning", title: text, summary: text })
      expect(regions[0]).toMatchObject({ status: "Active", updates: [{ eventTags: [] }] })
      const age = lastUpdate - millis(properties.impactStartTime)
      expect(age).toBeGreaterThanOrEqual(hour)
      expect(age).toBeLessThanOrEqual(5 * hour + 1000)
    }
  })

  it("have security advisories that started days before their update", () => {
    const advisories = ofType("SecurityAdvisory")
    expect(valuesOf(advisories, ({ properties }) => properties.eventSubType)).toEqual(
      new Set([undefined, "UnauthorizedPartyAbuse"]),
    )
    expect(valuesOf(advisories, ({ properties }) => properties.status)).toEqual(new Set(["Active", "Resolved"]))
    expect(valuesOf(advisories, ({ properties }) => properties.eventLevel)).toEqual(new Set(["Critical", "Warning"]))
    for (const { lastUpdate, properties, regions } of advisories) {
      expect(properties.summary).toMatch(/Please \w.+\.$/)
      expect(properties.description).toMatch(/Please \w.+\.<\/p>$/)
      expect(properties.level).toBe(properties.eventLevel)
      expect(regions[0]).toMatchObject({
        status: "Active",
        updates: [{ summary: expect.stringMatching(/^Please \w/) }],
      })
      expect(millis(properties.impactStartTime)).toBeLessThanOrEqual(lastUpdate - 48 * hour)
    }
  })

  it("have bills with a rate and a currency", () => {
    const bills = ofType("Billing")
    for (const { lastUpdate, properties, regions } of bills) {
      expectTime(properties.impactStartTime, lastUpdate)
      expect(properties.billingId).toMatch(/^\d{6}$/)
      expect(properties).toMatchObject({
        currencyType: expect.stringMatching(/^[A-Z]{3}$/),
        eventLevel: "Informational",
        summary: text,
      })
      expect(regions[0]).toMatchObject({ status: properties.status, updates: [{ summary: text }] })
      expect(properties.oldRate).toBeGreaterThanOrEqual(0.1)
      expect(properties.oldRate).toBeLessThanOrEqual(0.9)
      const ratio = (properties.newRate ?? 0) / (properties.oldRate ?? 1)
      expect(properties.newRate === 1 || (ratio > 0.79 && ratio < 1.31)).toBe(true)
      const words = properties.title?.replaceAll(/(?<=\w) (?=\w)/g, "").toLowerCase()
      expect(words).toContain(`billing: ${properties.eventSubType?.toLowerCase()}for`)
    }
    expect(bills.some(({ properties }) => properties.newRate === 1)).toBe(true)
  })
})

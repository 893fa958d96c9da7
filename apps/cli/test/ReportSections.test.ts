/** What the sections of a report show, and in which order. */
import { describe, expect, it } from "vitest"
import type { Snapshot } from "../src/events/Snapshot.js"
import * as Page from "../src/report/Page.js"
import { onePerType } from "./snapshots.js"

type Event = Snapshot["events"][number]

const event = (properties: object, name = "AB12-CD3"): Event => ({ id: name, name, properties })

const impact = (service: string, ...regions: ReadonlyArray<string>) => ({
  impactedService: service,
  impactedRegions: regions.map((impactedRegion) => ({ impactedRegion, status: "Active" })),
})

const active = (title: string, properties: object = {}) =>
  event(
    {
      title,
      eventType: "ServiceIssue",
      eventLevel: "Warning",
      status: "Active",
      impactStartTime: "2026-03-10T09:00:00Z",
      lastUpdateTime: "2026-03-10T10:00:00Z",
      impact: [impact("DNS", "East US")],
      ...properties,
    },
    title,
  )

const plain = (page: string) =>
  page
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()

const page = (...events: ReadonlyArray<Event>) => Page.make({ ...onePerType, events })

/** The text of the section with this heading, or its HTML. */
const section = (name: string, html: string) =>
  new RegExp(`<section aria-labelledby="${name}">([^]*?)</section>`).exec(html)?.[1] ?? ""

const head = (html: string) => plain(/<header>([^]*?)<\/header>/.exec(html)?.[1] ?? "")

const cells = (html: string) =>
  [...section("states", html).matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell = ""]) => plain(cell)),
  )

describe("the head", () => {
  it("counts active issues and notices", () => {
    const notice = active("Advice", { eventType: "HealthAdvisory" })
    expect(head(page(active("A"), notice))).toContain("1 service issue is active Warning A 1 notice of")
    const two = head(page(active("A"), active("B"), notice, active("Other advice", { eventType: "Billing" })))
    expect(two).toContain("2 service issues are active Warning A Warning B 2 notices of")
    expect(head(page(active("A")))).not.toContain("notice")
  })

  it("shows at most five issues", () => {
    const issues = ["A", "B", "C", "D", "E", "F", "G"].map((title) => active(title))
    expect(head(page(...issues.slice(0, 5)))).toMatch(/Warning D Warning E$/)
    expect(head(page(...issues))).toMatch(/Warning D Warning E and 2 more$/)
  })
})

describe("the current state", () => {
  it("shows the most severe issue, or the most severe notice", () => {
    const html = page(
      active("A"),
      active("B", { eventLevel: "Critical", eventType: "HealthAdvisory" }),
      active("C", { eventLevel: "Error" }),
      active("D", { eventType: "HealthAdvisory", impact: [impact("VM", "East US")] }),
      active("E", { eventType: "PlannedMaintenance", eventLevel: "Error", impact: [impact("VM", "East US")] }),
      active("F", { eventType: "SecurityAdvisory", impact: [impact("", "")] }),
      active("G", { eventType: "Health advisory", impact: [impact("SQL", "East US")] }),
    )
    expect(cells(html)).toEqual([
      ["Service", "Unknown region", "East US"],
      ["DNS", "– nothing", "Error +2"],
      ["SQL", "– nothing", "Warning"],
      ["Unknown service", "Security , Warning", "– nothing"],
      ["VM", "– nothing", "Maintenance , Error +1"],
    ])
  })

  it("shows the most severe issue of those that are resolved, but end later", () => {
    const resolved = (title: string, hour: number, properties: object) =>
      active(title, {
        status: "Resolved",
        impactMitigationTime: "2026-03-10T13:00:00Z",
        lastUpdateTime: `2026-03-10T0${hour}:00:00Z`,
        ...properties,
      })
    const html = page(
      resolved("A", 1, { eventLevel: "Error" }),
      resolved("B", 2, { eventLevel: "Critical" }),
      resolved("C", 3, {}),
      resolved("D", 4, { eventLevel: "Critical", eventType: "HealthAdvisory" }),
    )
    expect(cells(html)[1]).toEqual(["DNS", "Critical +3"])
  })

  it("shows at most 200 services and regions", () => {
    const names = (count: number, letter: string) => Array.from({ length: count }, (_, index) => `${letter}${index}`)
    const html = (count: number) =>
      page(
        active("A", {
          impact: names(count, "S").map((name) => impact(name, ...(name === "S0" ? names(count, "R") : ["R0"]))),
        }),
      )
    expect(cells(html(200))).toHaveLength(201)
    expect(html(200)).not.toContain("The table shows")
    expect(cells(html(201))).toHaveLength(201)
    expect(cells(html(201))[0]).toHaveLength(201)
    for (const noun of ["services", "regions"]) expect(html(201)).toContain(`The table shows 200 of 201 ${noun}.`)
  })

  it("has no table without events", () => {
    expect(plain(section("states", page()))).toContain("No event names a service.")
    for (const words of [
      "No service issue is active",
      "No impact in this period",
      "There are no events in this period",
    ])
      expect(page()).toContain(words)
  })
})

describe("the timeline", () => {
  const chart = (...events: ReadonlyArray<Event>) => section("timeline", page(...events))
  const hints = (html: string) => [...html.matchAll(/<title>([^]*?)<\/title>/g)].map(([, text]) => text)

  it("has the latest three events of a bar", () => {
    const starts = ["09:00", "09:01", "09:02", "09:03"]
    const events = starts.map((start) =>
      active(start, { impactStartTime: `2026-03-10T${start}:00Z`, impact: [impact("DNS", "East US", "")] }),
    )
    const shown = (start: string) => `${start}\nWarning · 10 Mar 2026, ${start} – ongoing · East US`
    expect(hints(chart(...events))).toEqual([[...starts.slice(1).toReversed().map(shown), "and 1 more"].join("\n\n")])
    expect(hints(chart(active("A", { impact: [impact("")] })))).toEqual(["A\nWarning · 10 Mar 2026, 09:00 – ongoing"])
  })

  it("marks the current time only with planned impact", () => {
    const planned = active("A", {
      eventType: "PlannedMaintenance",
      impactStartTime: "2026-03-12T09:00:00Z",
      impactMitigationTime: "2026-03-12T10:00:00Z",
    })
    expect(chart(planned)).toMatch(/(?=[^]*class="now")[^]*dashed line is now/)
    expect(chart(active("A"))).not.toMatch(/class="now"|dashed/)
  })

  it("names an unknown service, and counts impacts without a start", () => {
    const html = plain(chart(active("A", { impactStartTime: undefined, impact: [impact("", "East US", "West US")] })))
    expect(html).toContain("2 impacts without a start are not drawn.")
    expect(plain(chart(active("A", { impact: [impact("")] })))).toContain("Unknown service")
  })
})

describe("the events", () => {
  const events = (...all: ReadonlyArray<Event>) => plain(section("events", page(...all)))

  it("have at most four names of services and regions in a summary", () => {
    const names = ["A", "B", "C", "D", "E"]
    const named = (count: number) =>
      active("T", { impact: names.slice(0, count).map((name) => impact(name, `${name}1`, "")) })
    expect(events(named(4))).toContain("Service issue · A, B, C, D · A1, B1, C1, D1 · updated")
    expect(events(named(5))).toContain("Service issue · A, B, C and 2 more · A1, B1, C1 and 2 more · updated")
    expect(events(active("T", { eventType: "", impact: null }))).toContain("Event · updated")
  })

  it("have groups of active and resolved events, without empty ones", () => {
    const resolved = active("B", { status: "Resolved" })
    expect(events(active("A"), resolved, active("C"))).toMatch(/Active \(2\) A .* C .* Resolved \(1\) B /)
    expect(events(resolved)).not.toContain("Active (")
    expect(events(active("A"))).not.toContain("There are no events")
  })

  it("with an unknown latest update come last", () => {
    expect(events(active("A", { lastUpdateTime: "soon" }), active("B"))).toMatch(
      / B Warning .* A Warning .* updated soon/,
    )
  })

  it("have a list of places, with unknown names", () => {
    const html = events(
      active("A", {
        impact: [impact("DNS", "East US", ""), { impactedService: " " }, impact("VM")],
        eventTags: ["a", "", "b"],
      }),
    )
    expect(html).toContain("DNS East US Active Unknown region Active Unknown service Unknown region VM Unknown region")
    expect(html).toContain("Tags a, b")
    expect(events(active("A", { impact: null }))).not.toMatch(/Tags|Unknown|Updates|What to do|Questions|In the portal/)
  })

  it("have updates, latest first, without empty ones", () => {
    const update = (summary: string | undefined, updateDateTime?: string) => ({ summary, updateDateTime })
    const updates = [
      update(" First. ", "2026-03-10T09:00:00Z"),
      update("Undated."),
      update("Last.", "2026-03-10T11:00:00Z"),
      update("<br>"),
      update(undefined, "2026-03-10T11:30:00Z"),
    ]
    const region = { impactedRegions: [{ updates }, {}, { impactedRegion: "East US", updates: null }] }
    expect(events(active("A", { impact: [region, {}] }))).toMatch(
      /Updates 10 Mar 2026, 11:00 Last\. 10 Mar 2026, 09:00 First\. unknown Undated\.$/,
    )
  })

  it("have recommended actions", () => {
    const actions = (recommendedActions: object) => events(active("A", { recommendedActions })).split("What to do")[1]
    const all = { message: "Wait. ", actions: [{ actionText: "Retry." }, {}, { actionText: "Retry." }] }
    expect(actions(all)?.trim()).toBe("Wait. Retry.")
    expect(actions({ message: " ", actions: [{}] })).toBeUndefined()
  })

  it("have questions and links", () => {
    const html = events(
      active("A", {
        faqs: [{ question: "Why?", answer: "One.\n \nTwo." }, { answer: "Three." }],
        links: [{ extensionName: "Extension", bladeName: "Blade" }, { parameters: { a: 1 } }],
      }),
    )
    expect(html).toMatch(/Questions Why\? One\. Two\. Three\. In the portal Link Extension \/ Blade Link a: 1$/)
  })
})

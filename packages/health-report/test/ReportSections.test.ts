/** What the sections of a report show, and in which order. */
import { describe, expect, it } from "vitest"
import * as HtmlReport from "@vigil/health-report/HtmlReport"
import * as LivePage from "@vigil/health-report/LivePage"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import { onePerType } from "@vigil/testing/snapshots"

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

const page = (...events: ReadonlyArray<Event>) => HtmlReport.make({ ...onePerType, events })

/** The text of the section with this heading, or its HTML. */
const section = (name: string, html: string) => new RegExp(`<h2 id="${name}">([^]*?)</section>`).exec(html)?.[1] ?? ""

const head = (html: string) => plain(/<header>([^]*?)<\/header>/.exec(html)?.[1] ?? "")

const cells = (html: string) =>
  [...section("states", html).matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell = ""]) => plain(cell)),
  )

describe("the head", () => {
  it("counts active issues and notices, and shows at most five issues, without repeating that they are active", () => {
    const notice = active("Advice", { eventType: "HealthAdvisory" })
    expect(head(page(active("A"), notice))).toContain("1 service issue is active Warning A 1 notice of")
    const two = head(page(active("A"), active("B"), notice, active("Other advice", { eventType: "Billing" })))
    expect(two).toContain("2 service issues are active Warning A Warning B 2 notices of")
    const titled = active("A", { title: "Active: DNS" })
    expect(head(page(titled))).toContain("is active Warning DNS")
    const issues = ["A", "B", "C", "D", "E", "F", "G"].map((title) => active(title))
    expect(head(page(...issues))).toMatch(/Warning D Warning E and 2 more$/)
  })
})

describe("the verdict", () => {
  const quiet = { ...onePerType, events: [active("A", { status: "Resolved" })] }

  /** The heads of a file and of the page of a server. */
  const heads = (snapshot: Snapshot) =>
    [HtmlReport.make(snapshot), LivePage.make(snapshot, { version: "1" })].map((html) => head(html))

  it("does not say that all is well if entries could not be read", () => {
    for (const text of heads({ ...quiet, invalid: 1 }))
      expect(text).toMatch(/No issue is known to be active 1 entry could not be read\.$/)
  })

  it("names the lists that failed, and from when their events are", () => {
    const failed = ["x", "y", "z", "v", "w", "u"].map((id) => ({
      source: id,
      problem: `${id}: 404.`,
      readAt: undefined,
    }))
    const read = { source: "Subscription b", problem: "No response.", readAt: onePerType.now - 3_600_000 }
    for (const text of heads({ ...quiet, failed: [read, ...failed] }))
      expect(text).toMatch(
        /No issue is known to be active b, x, y and 4 more could not be read\. Failed lists Subscription b: No response\. What is shown of it is of 10 Mar 2026, 11:00 UTC\. x: x: 404\. .* v: v: 404\.$/,
      )
    for (const text of heads({ ...quiet, failed: [read] }))
      expect(text).toContain("Some of this is of 10 Mar 2026, 11:00 UTC. b could not be read.")
  })
})

describe("the current state", () => {
  it("shows the most severe issue, or the most severe notice, and the most severe services and regions first", () => {
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
      ["Service", "East US", "Unknown region"],
      ["DNS", "Error +2", "– nothing"],
      ["SQL", "Warning", "– nothing"],
      ["VM", "Maintenance , Error +1", "– nothing"],
      ["Unknown service", "– nothing", "Security , Warning"],
    ])
  })

  it("shows at most 200 services and regions", () => {
    const names = (letter: string) => Array.from({ length: 201 }, (_, index) => `${letter}${index}`)
    const html = page(active("A", { impact: names("S").map((name) => impact(name, ...names("R"))) }))
    expect(cells(html).map(({ length }) => length)).toEqual(Array.from({ length: 201 }, () => 201))
    for (const noun of ["services", "regions"]) expect(html).toContain(`The table shows 200 of 201 ${noun}.`)
  })

  it("has no table without events", () => {
    expect(plain(section("states", page()))).toContain("No event names a service.")
    expect(page()).toContain("No event in this period")
  })
})

describe("the availability", () => {
  it("has a row for each service in each region, and the levels that occur", () => {
    const html = page(
      active("A"),
      active("B", { eventLevel: "Critical", impactStartTime: "2026-03-10T11:00:00Z" }),
      active("C", { impactStartTime: null }),
    )
    expect(plain(section("availability", html))).toMatch(
      /Service Region Without an issue Critical Warning DNS East US 99\.583% 60 180 1 impact without a start or an end is not counted\.$/,
    )
    expect(plain(section("availability", page()))).toContain("No issue with a start in this period.")
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
  })

  it("draws an impact of no time", () => {
    const at = { impactMitigationTime: "2026-03-10T09:00:00Z", status: "Resolved" }
    expect(chart(active("A", at))).toMatch(/class="bar Warning"[^>]*width="0\.01%"/)
  })

  it("marks the current time with planned impact, and counts impacts without a start", () => {
    const planned = active("A", { eventType: "PlannedMaintenance", impactStartTime: "2026-03-12T09:00:00Z" })
    expect(chart(planned, active("B", { impactStartTime: "" }))).toMatch(
      /(?=[^]*class="now")[^]*dashed line is now[^]*1 impact without a start is not drawn/,
    )
    expect(chart(active("A"))).not.toMatch(/class="now"|dashed/)
  })
})

describe("the events", () => {
  const events = (...all: ReadonlyArray<Event>) => plain(section("events", page(...all)))

  it("have at most three names of services and regions in a summary", () => {
    const names = ["A", "B", "C", "D", "E"]
    const event = active("T", { impact: names.map((name) => impact(name, `${name}1`, "")) })
    expect(events(event)).toContain("Service issue A, B, C and 2 more · A1, B1, C1 and 2 more 10 Mar")
  })

  it.each([
    ["an active event", {}, "T · Service issue DNS · East US 10 Mar 2026, 09:00 – ongoing · 3 h updated"],
    [
      "a resolved event",
      { status: "Resolved", impactMitigationTime: "2026-03-10T10:30:00Z" },
      "10 Mar 2026, 09:00 – 10:30 · 1 h 30 min updated",
    ],
    [
      "an event of less than a minute",
      { status: "Resolved", impactMitigationTime: "2026-03-10T09:00:20Z" },
      "East US 10 Mar 2026, 09:00 · 1 min updated",
    ],
    ["an event that has not begun", { impactStartTime: "2026-03-11T09:00:00Z" }, "from 11 Mar 2026, 09:00 updated"],
    ["an event without a start", { impactStartTime: "" }, "East US updated"],
  ])("have the tracking ID, the start and the duration in a summary: %s", (_, properties, summary) => {
    expect(events(active("T", properties))).toContain(summary)
  })

  it("have links that stay valid in later reports, if IDs are plain and unique", () => {
    const html = page(active("A"), event({ title: "B" }, "A"), event({ title: "C" }, "a b"), event({ title: "D" }, ""))
    expect([...html.matchAll(/<div class="body" id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      "event-A",
      "event.2",
      "event.3",
      "event.4",
    ])
    expect(html).toContain('<a href="#event-A">This event</a>')
    expect(["A", "a b", ""].map((name) => LivePage.anchor(event({}, name)))).toEqual(["event-A", undefined, undefined])
  })

  it("have no empty groups, and only the first is open if a page has many events", () => {
    const all = [active("A"), active("B", { eventType: "HealthAdvisory" }), active("C", { status: "Resolved" })]
    const groups = (...events: ReadonlyArray<Event>) =>
      [...page(...events).matchAll(/<details class="group"[^>]*?( open)?>\s*<summary>([^]*?)<\/summary>/g)].map(
        ([, open = "", name = ""]) => plain(name) + open,
      )
    expect(groups(...all)).toEqual(["Active issues 1 open", "Active notices 1 open", "Resolved 1 open"])
    const many = Array.from({ length: 20 }, (_, index) => active(`D${index}`))
    expect(groups(...all, ...many)).toEqual(["Active issues 21 open", "Active notices 1", "Resolved 1"])
    expect(groups(active("C", { status: "Resolved" }))).toEqual(["Resolved 1 open"])
  })

  it("have filters for their types, and for regions without regard to spelling", () => {
    const html = page(
      active("A", { impact: [impact("DNS", "west-europe"), impact("SQL", "Global")] }),
      active("B", { eventType: "RCA", impact: [impact("DNS", "West Europe")] }),
    )
    const options = (name: string) =>
      [...(html.split(`<select name="${name}">`)[1]?.split("</select>")[0] ?? "").matchAll(/value="(.*?)"/g)].map(
        ([, value]) => value,
      )
    expect(options("type")).toEqual(["", "Post-incident review", "Service issue"])
    expect(options("region")).toEqual(["", "global", "westeurope"])
    expect([...html.matchAll(/data-regions="(.*?)"/g)].map(([, regions]) => regions)).toEqual([
      "westeurope global",
      "westeurope",
    ])
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

  it("have recommended actions, recommendations, questions, and the texts of buttons of the portal", () => {
    const actions = [{ actionText: "Retry." }, {}, { actionText: "Retry." }]
    const html = events(
      active("A", {
        recommendedActions: { message: "Wait. ", actions },
        advisorRecommendations: { httpMethod: "GET", url: "https://a.example/b?c", description: "Lists advice." },
        faqs: [{ question: "Why?", answer: "One.\n \nTwo." }, { answer: "Three." }],
        links: [
          { displayText: { value: "Sign up" }, extensionName: "Extension", bladeName: "Blade", parameters: { a: 1 } },
          { bladeName: "Blade" },
        ],
      }),
    )
    expect(html).toMatch(
      /Recommended actions Wait\. Retry\. Advisor recommendations Lists advice\. GET https:\/\/a\.example\/b\?c Questions Why\? One\. Two\. Three\. In the portal Sign up$/,
    )
  })
})

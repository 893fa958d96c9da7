/** An explanation as text: its answer in one line, and the screen. */
import * as ExplanationText from "@vigil/health-report/ExplanationText"
import type { Timestamp } from "@vigil/health-schema/Timestamp"
import type { Readings } from "@vigil/health-verdict/Evidence"
import * as Explanation from "@vigil/health-verdict/Explanation"
import * as Property from "@vigil/testing/property"
import { ago, available, calm, complete, event, list, status } from "@vigil/testing/readings"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"

const readings = (some: Partial<Readings> = {}): Readings => ({ ...calm, ...some })

const layout = {
  width: 80,
  color: false,
  showEvent: ({ days, list, trackingId }: ExplanationText.ShownEvent) => `show ${trackingId} of ${list}, ${days} d`,
  showResource: "show web-1",
  subscription: "Production",
}

const names = [
  "current",
  "history",
  "children",
  "ownEvents",
  "subscriptionEvents",
  "tenantEvents",
  "emergingIssues",
] as const

Property.sync("what is missing is said in the answer", [complete, FastCheck.constantFrom(...names)], ([all, name]) => {
  const explanation = Explanation.make({ ...all, [name]: { ...all[name], problem: "502" } })
  expect(ExplanationText.headline(explanation)).not.toMatch(/Nothing known|^Your own action/)
  const lines = ExplanationText.lines(explanation, layout)
  expect(lines).toContain("Not read")
})

const lineOf = (explanation: Explanation.Explanation, start: string) =>
  ExplanationText.lines(explanation, { ...layout, width: 200 }).find((line) => line.startsWith(start))

describe("the answer", () => {
  it.each([
    [
      status({ reasonType: "UserInitiated", summary: "A user stopped it." }),
      "The resource is Unavailable, checked 1 min ago. But the status of the resource says: A user stopped it.",
    ],
    [available, "But the status says Available, checked 1 min ago."],
  ])("on an event of the platform says what the status says instead", (current, contrast) => {
    const ownEvents = list(event("A", { title: "Active: An outage" }))
    const explanation = Explanation.make(readings({ current: list(current), ownEvents }))
    expect(ExplanationText.headline(explanation)).toBe(`The platform: An outage, event began 3 h ago. ${contrast}`)
  })

  it("is unknown for the state Unknown, and says that nothing says why", () => {
    const current = list(status({ availabilityState: "Unknown" }))
    expect(ExplanationText.headline(Explanation.make(readings({ current })))).toBe(
      "Unknown. The state is Unknown, checked 1 min ago, and nothing says why.",
    )
  })

  it("on maintenance names it once", () => {
    const ownEvents = list(event("A", { eventType: "PlannedMaintenance", title: "Planned maintenance: an update" }))
    const current = list(status({ reasonType: "Planned", healthEventId: "A" }))
    expect(ExplanationText.headline(Explanation.make(readings({ current, ownEvents })))).toBe(
      "Planned maintenance: an update, for 3 h. The resource is Unavailable, checked 1 min ago.",
    )
  })

  it("on an own action says what may concern the resource, too, but no notice", () => {
    const advisory = event("A", { eventType: "HealthAdvisory", title: "A quota" })
    const screen = (some: Partial<Readings>) =>
      ExplanationText.lines(
        Explanation.make(
          readings({ current: list(status({ reasonType: "UserInitiated" })), ownEvents: list(advisory), ...some }),
        ),
        { ...layout, width: undefined },
      ).join("\n")
    const alone = screen({})
    expect(alone).toMatch(/^Your own action: .*It is named by: A quota/)
    expect(alone).not.toMatch(/may not be alone|^Impact/m)
    expect(screen({ subscriptionEvents: list(event("B")), impacted: new Map([["b", list()]]) })).toMatch(
      /It may not be alone: Event B, event began 3 h ago\./,
    )
  })

  it("leads to a command alone on its line", () => {
    const current = list(status({ reasonType: "UserInitiated" }))
    const explanation = Explanation.make(readings({ current, ownEvents: list(event("A")) }))
    expect(ExplanationText.lines(explanation, layout).join("\n")).toMatch(
      /^Next {18}show A of resource, 90 d\n {22}or find who changed the resource, /m,
    )
  })

  it("does not lead to maintenance of tomorrow", () => {
    const ownEvents = list(event("A", { eventType: "PlannedMaintenance", impactStartTime: ago(-24) }))
    const failed = { items: [], invalid: 0, problem: "502" }
    expect(lineOf(Explanation.make(readings({ ownEvents, history: failed })), "Next")).toMatch(/ see Not read below/)
    const silent = list(status({ availabilityState: "Unknown" }))
    expect(lineOf(Explanation.make(readings({ ownEvents, current: silent })), "Next")).toMatch(
      / run the command again in some minutes/,
    )
  })

  it("says whether the expected end has passed", () => {
    const expected = (resolutionETA: Timestamp) =>
      lineOf(Explanation.make(readings({ current: list(status({ resolutionETA })) })), "Expected end")
    expect([expected(ago(4)), expected(ago(-2))]).toEqual([
      expect.stringMatching(/\(4 h ago\)$/),
      expect.stringMatching(/\(in 2 h\)$/),
    ])
  })
})

it("cuts texts that are longer than a screen", () => {
  const long = "x ".repeat(100_000)
  const current = { ...status({ reasonType: long, context: long, summary: long, title: long }), location: long }
  const explanation = Explanation.make(readings({ current: list(current) }))
  const lines = ExplanationText.lines(explanation, { ...layout, width: undefined })
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(1_000)
})

it("does not repeat a summary that is the title, unless the title lacks its end", () => {
  const end = "Do not restart it, or its temporary disk is lost."
  const screen = (summary: string) => {
    const current = list(status({ reasonType: "Unplanned", summary }))
    return ExplanationText.lines(Explanation.make(readings({ current })), { ...layout, width: undefined }).join("\n")
  }
  expect(screen(end)).not.toMatch(/^Summary/m)
  for (const length of [201, 500])
    expect(screen(end.padStart(length, "It failed. "))).toMatch(/^Summary .*disk is lost\.$/m)
})

it("prints one screen with the answer, the status, the evidence and what was not read", () => {
  const explanation = Explanation.make(
    readings({
      current: list(
        status({
          reasonType: "Unplanned",
          context: "Platform Initiated",
          summary: "A <b>problem</b> of the platform\u001b[2J.",
          healthEventId: "AB12-CD3",
          recommendedActions: [{ action: "Wait." }],
        }),
      ),
      ownEvents: list(event("AB12-CD3")),
      history: { items: [], invalid: 0, problem: "502 Bad Gateway" },
    }),
  )
  const lines = ExplanationText.lines(explanation, layout)
  expect(lines.join("\n")).toMatchInlineSnapshot(`
    "The platform: Event AB12-CD3, event began 3 h ago. The resource is Unavailable,
    checked 1 min ago. Not read completely: the history.

    Next                  show AB12-CD3 of resource, 90 d
    Impact                Confirmed: it names the resource
    Resource              web-1, Vendor.Compute/virtualMachines, shop, westeurope
    State                 Unavailable since 10 Mar 2026, 10:00 UTC (2 h)
    Last check            1 min ago
    Reason                Unplanned, Platform Initiated
    Summary               A problem of the platform.
    Subscription          Production
    Earlier states        show web-1

    Not read
      - history: 502 Bad Gateway

    Recommended actions
      - Wait.

    Evidence
      - platform: as above
        AB12-CD3, events of the resource, current status, updated 1 h ago

    Events updated from 10 Dec 2025, 12:00 UTC to 10 Mar 2026, 12:00 UTC, and the
    history of the last 24 hours."
  `)
  expect(ExplanationText.toJson(explanation)).toMatchObject({
    verdict: "platform",
    isOngoing: true,
    trackingId: "AB12-CD3",
    asOf: "2026-03-10T12:00:00.000Z",
    unread: [{ source: "history" }],
  })
})

/** The line of a change: its columns, and the differences in parentheses. */
import * as Changes from "@vigil/health-schema/Changes"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { Change } from "../src/events/AnyEvent.js"
import * as WatchLine from "../src/events/WatchLine.js"

const now = DateTime.makeUnsafe("2026-03-10T12:00:00Z")

const decode = HealthEvent.decode("2025-05-01")

const eventOf = (properties: unknown, fields: object = {}) =>
  Result.getOrThrow(decode({ name: "AB12-CD3", properties, ...fields }))

const lineOf = (change: Change) => WatchLine.lines(change, now).join("\n")

const update = (properties: unknown, fields?: object) => {
  const event = eventOf(properties, fields)
  return lineOf({ _tag: "Updated", event, changes: Changes.compare(eventOf({}), event) })
}

const updated = "2026-03-10 12:00  Updated      AB12-CD3  "

const between = (before: object, after: object) => {
  const event = eventOf(after)
  const change = { _tag: "Updated", event, changes: Changes.compare(eventOf(before), event) } as const
  return lineOf(change).slice(updated.length)
}

const region = (impactedRegion: string, fields: object = {}) => ({ impactedRegion, ...fields })

const impact = (impactedService: string, ...impactedRegions: ReadonlyArray<object>) => ({
  impactedService,
  impactedRegions,
})

const hostile = "\u001b[31mred\u001b[0m\r\nover\u0008\u202egnp \u001b]8;;http://evil\u0007link\u001b]8;;\u0007"

const safe = "red over gnp link"

const late = { lastUpdateTime: "2026-03-10T11:00:00Z" }

describe("the line of a new event", () => {
  it.each([
    [{ eventType: "RCA", level: "Error", status: "Active", title: "T" }, "T (RCA, Error, Active)"],
    [{ eventType: "RCA", level: "", status: null, title: "T" }, "T (RCA)"],
    [{ title: "x".repeat(121) }, `${"x".repeat(119)}…`],
    [null, ""],
  ])("with the properties %j has its type, level and status", (properties, text) => {
    const line = lineOf({ _tag: "Appeared", event: eventOf(properties) })
    expect(line).toBe(`2026-03-10 12:00  Appeared     AB12-CD3  ${text}`.trimEnd())
  })
})

describe("the line of an updated event", () => {
  it.each<[fields: object, text: string]>([
    [{ title: "T", priority: 1, isHIR: true }, "T (title none → T; priority none → 1; isHIR none → true)"],
    [{ header: "x".repeat(41), links: [] }, "(header; links)"],
    [{ title: hostile }, `${safe} (title none → ${safe})`],
    [
      { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8 },
      "(a none → 1; b none → 2; c none → 3; d none → 4; e none → 5; f none → 6; 2 more)",
    ],
    [{ ["x".repeat(101)]: "1" }, `(${"x".repeat(99)}…)`],
  ])("with the new properties %j has the differences", (properties, text) => {
    expect(update(properties)).toBe(`${updated}${text}`)
  })

  it("shows a removed value as none, and not the time of the update", () => {
    expect(between({ title: "T", header: "H" }, { title: "T", ...late })).toBe("T (header H → none)")
  })

  it("has the services and regions that differ, and a new update", () => {
    const [one, two] = [{ summary: "1" }, { summary: "2" }]
    const before = [
      { ...impact("DNS", region("East", { status: "Active", updates: [one] }), region("West")), a: 1 },
      impact("VPN", region("East", { updates: [one] })),
    ]
    const after = [
      {
        ...impact(
          "DNS",
          region("East", { status: "Resolved", ...late, updates: [two] }),
          region("West", late),
          region("North", { updates: [one] }),
        ),
        a: 2,
      },
      impact("CDN", region("East", { updates: [one] })),
    ]
    expect(between({ impact: before }, { impact: after })).toBe(
      "(DNS: a; CDN added; VPN removed; DNS in East: status; DNS in North added): 2 (and 1 more update)",
    )
  })
})

describe("the line of an event with news", () => {
  const after = (properties: object, ...updates: ReadonlyArray<object>) =>
    between(
      { impact: [impact("DNS", region("East"))] },
      { ...properties, impact: [impact("DNS", region("East", { updates }))] },
    )
  const [early, later] = ["2026-03-10T10:00:00Z", "2026-03-10T11:00:00Z"].map((updateDateTime) => ({ updateDateTime }))

  it.each([
    [
      "the latest update as plain text",
      {},
      [
        { ...early, summary: "Old" },
        { ...later, summary: "<p>We <b>found</b> it</p>" },
      ],
      "We found it (and 1 more update)",
    ],
    [
      "one update of several regions once",
      { title: "T" },
      [
        { ...early, summary: "S" },
        { ...later, summary: "S" },
      ],
      "T (title none → T): S",
    ],
    ["the beginning of a long text", {}, [{ summary: "x".repeat(161) }], `${"x".repeat(159)}…`],
    ["a new summary, without an update", { summary: "Fixed" }, [], "Fixed"],
  ] as const)("has %s", (_, properties, updates, expected) => {
    expect(after(properties, ...updates)).toBe(expected)
  })

  it("is wrapped at words behind its columns, or below them on a narrow terminal, and has color", () => {
    const event = eventOf({ title: "Packet loss on new connections", level: "Error", status: "Active" })
    const change: Change = { _tag: "Appeared", event }
    const line = (width: number) => WatchLine.lines(change, now, { width, color: true, subscription: "s" })
    const head = "2026-03-10 12:00  \u001b[31mAppeared   \u001b[0m  AB12-CD3"
    expect(line(80)).toEqual([`${head}  Packet loss on new connections (Error,`, `${" ".repeat(41)}Active) [s]`])
    expect(line(40)).toEqual([head, "  Packet loss on new connections (Error,", "  Active) [s]"])
  })
})

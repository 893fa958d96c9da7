/** A change as text: its columns, the differences in parentheses, and what is new in words. */
import * as Changes from "@vigil/health-schema/Changes"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import type { Change } from "../../src/connection/AnyEvent.js"
import * as WatchLine from "../../src/events/watch/WatchLine.js"

const now = DateTime.makeUnsafe("2026-03-10T12:00:00Z")
const decode = HealthEvent.decode("2025-05-01")
const eventOf = (properties: unknown) => Result.getOrThrow(decode({ name: "AB12-CD3", properties }))
const appeared = (properties: unknown): Change => ({ _tag: "Appeared", event: eventOf(properties) })

/** The text of an update behind the columns. */
const between = (before: object, after: object) => {
  const [from, event] = [eventOf(before), eventOf(after)]
  const [line] = WatchLine.lines({ _tag: "Updated", event, changes: Changes.compare(from, event) }, now)
  return line?.replace(/^2026-03-10 1[12]:00  Updated      AB12-CD3  /, "")
}

const region = (impactedRegion: string, fields: object = {}) => ({ impactedRegion, ...fields })
const impact = (impactedService: string, ...impactedRegions: ReadonlyArray<object>) => ({
  impactedService,
  impactedRegions,
})
const updates = (...updates: ReadonlyArray<object>) => ({ impact: [impact("DNS", region("East", { updates }))] })
const [early, later] = ["2026-03-10T10:00:00Z", "2026-03-10T11:00:00Z"].map((updateDateTime) => ({ updateDateTime }))

const hostile = "\u001b[31mred\u001b[0m\r\nover\u0008\u202egnp \u001b]8;;http://evil\u0007link\u001b]8;;\u0007"
const safe = "red over gnp link"

it.each([
  [{ eventType: "RCA", level: "Error", status: "Active", title: "T" }, "T (Post-incident review, Error, Active)"],
  [{ eventType: "RCA", level: "", status: null, title: "T" }, "T (Post-incident review)"],
  [{ title: "x".repeat(121) }, `${"x".repeat(119)}…`],
  [null, ""],
])("a new event with the properties %j has its type, level and status", (properties, text) => {
  expect(WatchLine.lines(appeared(properties), now)).toEqual([
    `2026-03-10 12:00  Appeared     AB12-CD3  ${text}`.trimEnd(),
  ])
})

it.each<[what: string, before: object, after: object, text: string]>([
  [
    "short values",
    {},
    { title: "T", priority: 1, isHIR: true },
    "T (title none → T; priority none → 1; isHIR none → true)",
  ],
  [
    "names in words, and times to the minute",
    { impactMitigationTime: "0001-01-01T00:00:00Z" },
    { impactMitigationTime: "2026-03-10T14:30:00.123Z" },
    "(impact mitigation time none → 2026-03-10 14:30)",
  ],
  ["the names of long values", {}, { header: "x".repeat(41), links: [{}] }, "(header; links)"],
  ["safe values", {}, { title: hostile }, `${safe} (title none → ${safe})`],
  [
    "at most six",
    {},
    { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 },
    "(a none → 1; b none → 2; c none → 3; d none → 4; e none → 5; f none → 6; 1 more)",
  ],
  ["the beginning of long names", {}, { ["x".repeat(101)]: "1" }, `(${"x".repeat(99)}…)`],
  [
    "removed values, and not the time",
    { header: "H" },
    { lastUpdateTime: "2026-03-10T11:00:00Z" },
    "(header H → none)",
  ],
  [
    "the latest update as plain text",
    updates(),
    updates({ ...early, summary: "Old" }, { ...later, summary: "<p>We <b>found</b> it</p>" }),
    "We found it (and 1 more update)",
  ],
  [
    "an update of several regions once",
    updates(),
    updates({ ...early, summary: "S" }, { ...later, summary: "S" }),
    "S",
  ],
  ["the beginning of a long update", updates(), updates({ summary: "x".repeat(161) }), `${"x".repeat(159)}…`],
  ["a removed update", updates({ summary: "S" }), updates(), "(DNS in East: updates removed 1)"],
  ["a new summary", {}, { title: "T", summary: "Fixed" }, "T (title none → T): Fixed"],
])("an updated event has %s", (_, before, after, text) => {
  expect(between(before, after)).toBe(text)
})

it("an updated event has the services and regions that differ, and a new update", () => {
  const [one, two] = [{ summary: "1" }, { summary: "2" }]
  const before = [
    { ...impact("DNS", region("East", { status: "Active", updates: [one] }), region("West")), a: 1 },
    impact("VPN", region("East", { updates: [one] })),
  ]
  const late = { lastUpdateTime: "2026-03-10T11:00:00Z" }
  const east = region("East", { status: "Resolved", ...late, updates: [two] })
  const after = [
    { ...impact("DNS", east, region("West", late), region("North", { updates: [one] })), a: 2 },
    impact("CDN", region("East", { updates: [one] })),
  ]
  expect(between({ impact: before }, { impact: after })).toBe(
    "(DNS: a; CDN added; VPN removed; DNS in East: status; DNS in North added): 2 (and 1 more update)",
  )
})

it("a change is wrapped at words behind its columns, or below them on a narrow terminal, and has color", () => {
  const change = appeared({ title: "Packet loss on new connections", level: "Error", status: "Active" })
  const lines = (width: number) => WatchLine.lines(change, now, { width, color: true, subscription: "s" })
  const head = "2026-03-10 12:00  \u001b[31mAppeared   \u001b[0m  AB12-CD3"
  expect(lines(80)).toEqual([`${head}  Packet loss on new connections (Error,`, `${" ".repeat(41)}Active) [s]`])
  expect(lines(40)).toEqual([head, "  Packet loss on new connections (Error,", "  Active) [s]"])
})

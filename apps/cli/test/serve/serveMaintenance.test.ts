/** The calendar of `vigil serve`: planned maintenance over many polls, parsed by ical.js. */
import { describe, expect, it } from "@effect/vitest"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import { month } from "@vigil/testing/snapshots"
import ICAL from "ical.js"
import * as Calendar from "../../src/serve/Calendar.js"
import * as Maintenance from "../../src/serve/Maintenance.js"

type Events = Snapshot["events"]

const hour = 3_600_000
const day = 24 * hour
const now = Date.parse("2026-03-10T12:00:00Z")

const iso = (millis: number) => new Date(millis).toISOString()

/** Planned maintenance that starts tomorrow. Its fields may be any text, as in a list. */
const maintenance = (properties: object = {}, name = "AB12-CD3") =>
  ({
    id: `/events/${name}`,
    name,
    properties: {
      eventType: "PlannedMaintenance",
      status: "Active",
      title: "Firmware, again; and \\ again",
      impactStartTime: iso(now + day),
      impactMitigationTime: iso(now + day + 2 * hour),
      lastUpdateTime: iso(now - hour),
      ...properties,
    },
  }) as Events[number]

/** A poll, minutes after the first one. */
const poll = (minutes: number, events: Events, invalid: ReadonlyArray<unknown> = []): Maintenance.Poll => ({
  events,
  invalid,
  now: now + minutes * 60_000,
  reach: now - 30 * day,
})

const after = (...polls: ReadonlyArray<Maintenance.Poll>) => polls.reduce(Maintenance.next, Maintenance.none)

const read = (text: string) => {
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar.getAllSubcomponents("vevent").map((one) => {
    const event = new ICAL.Event(one)
    const time = (value: unknown) => (value instanceof ICAL.Time ? value.toJSDate().getTime() : undefined)
    return {
      uid: event.uid,
      end: time(one.getFirstPropertyValue("dtend")),
      sequence: event.sequence,
      status: one.getFirstPropertyValue("status"),
      modified: time(one.getFirstPropertyValue("last-modified")),
    }
  })
}

const calendar = (entries: Maintenance.Entries) => read(Calendar.make("Subscription x", entries, 5))

/** The status and the sequence after these polls. */
const states = (...polls: ReadonlyArray<Maintenance.Poll>) =>
  calendar(after(...polls)).map(({ sequence, status }) => [status, sequence])

const first = states(poll(0, [maintenance()]))[0]?.[1]

describe("the calendar", () => {
  it("has the planned maintenance of the events, and nothing else", () => {
    const events = calendar(after({ ...month, invalid: [], reach: month.from }))
    const expected = month.events.filter(({ properties }) => properties?.eventType === "PlannedMaintenance")
    expect(expected.length).toBeGreaterThan(5)
    expect(events.map(({ uid }) => uid)).toEqual(expected.map(({ name }) => `${name?.toLowerCase()}@vigil`).toSorted())
  })

  it("is complete iCalendar text", () => {
    const properties = {
      title: "Firmware of the routers in the first zone, again, and of the swiüches",
      summary: "<p>One;</p><p>two.</p>",
      impact: [{ impactedService: "DNS", impactedRegions: [{ impactedRegion: "A, B" }] }],
    }
    const lines = Calendar.make("Subscription, x", after(poll(0, [maintenance(properties)])), 5).split("\r\n")
    expect(lines).toEqual([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//vigil//vigil serve//EN",
      "CALSCALE:GREGORIAN",
      String.raw`NAME:Planned maintenance: Subscription\, x`,
      String.raw`X-WR-CALNAME:Planned maintenance: Subscription\, x`,
      "REFRESH-INTERVAL;VALUE=DURATION:PT5M",
      "BEGIN:VEVENT",
      "UID:ab12-cd3@vigil",
      "DTSTAMP:20260310T110000Z",
      "LAST-MODIFIED:20260310T110000Z",
      "SEQUENCE:195303600",
      "STATUS:CONFIRMED",
      "TRANSP:TRANSPARENT",
      "DTSTART:20260311T120000Z",
      "DTEND:20260311T140000Z",
      // A line has at most 75 octets, and ends before a character that needs two.
      String.raw`SUMMARY:Firmware of the routers in the first zone\, again\, and of the swi`,
      " üches",
      String.raw`LOCATION:A\, B`,
      String.raw`DESCRIPTION:Planned maintenance\, No level\, Active\nDNS in A\, B\n\nOne\;` + "\\",
      " n\\ntwo.",
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ])
  })

  it.each([
    ["without a start", { impactStartTime: "" }, []],
    ["that starts after the year 9999 in UTC", { impactStartTime: "9999-12-31T23:59:59-08:00" }, []],
    ["that ends after the year 9999 in UTC", { impactMitigationTime: "9999-12-31T23:59:59-08:00" }, [undefined]],
    ["without an end", { impactMitigationTime: "0001-01-01T00:00:00Z" }, [undefined]],
    ["that ends before its start", { impactMitigationTime: iso(now) }, [undefined]],
  ])("has no wrong times for maintenance %s", (_, properties, ends) => {
    expect(calendar(after(poll(0, [maintenance(properties)]))).map(({ end }) => end)).toEqual(ends)
  })

  it("has a time zone if there are no events, because a calendar needs a component", () => {
    const parsed = new ICAL.Component(ICAL.parse(Calendar.make("Subscription x", Maintenance.none, 5)))
    expect(parsed.getAllSubcomponents().map(({ name }) => name)).toEqual(["vtimezone"])
  })
})

describe("planned maintenance", () => {
  const resolved = { status: "Resolved", lastUpdateTime: iso(now) }

  it("is cancelled after two polls without it, and confirmed if it returns, each with a later version", () => {
    const all = [poll(0, [maintenance()]), poll(5, []), poll(10, []), poll(15, []), poll(20, [maintenance()])]
    const seen = all.map((_, index) => states(...all.slice(0, index + 1))[0])
    expect(seen.map((one) => one?.[0])).toEqual(["CONFIRMED", "CONFIRMED", "CANCELLED", "CANCELLED", "CONFIRMED"])
    const [, , third, fourth, fifth] = seen.map((one) => Number(one?.[1]))
    expect(third).toBeGreaterThan(Number(first))
    expect(fourth).toBe(third)
    expect(fifth).toBeGreaterThan(Number(fourth))
  })

  it.each([
    ["has the status Canceled", { status: "Canceled" }, "CANCELLED"],
    ["is resolved before its start", resolved, "CANCELLED"],
    [
      "is resolved with an end before its start",
      { ...resolved, impactStartTime: iso(now - hour), impactMitigationTime: iso(now - day) },
      "CANCELLED",
    ],
    [
      "is resolved after its start",
      { ...resolved, impactStartTime: iso(now - day), impactMitigationTime: iso(now) },
      "CONFIRMED",
    ],
  ])("that %s is %s", (_, properties, status) => {
    expect(states(poll(0, [maintenance(properties)]))[0]?.[0]).toBe(status)
  })

  it.each([
    ["update time", { lastUpdateTime: iso(now + 60_000) }],
    ["start", { impactStartTime: iso(now + day + hour) }],
    ["status", { status: "Canceled" }],
  ])("has a later version if its %s changes", (_, properties) => {
    const [one, other] = [poll(5, [maintenance(properties)]), poll(10, [maintenance(properties)])]
    const [changed] = calendar(after(poll(0, [maintenance()]), one))
    expect(changed?.sequence).toBeGreaterThan(Number(first))
    expect(changed?.modified).toBeGreaterThan(now - hour)
    expect(calendar(after(poll(0, [maintenance()]), one, other))).toEqual([changed])
  })

  it("is not cancelled if lists no longer reach its last update, or if it has ended", () => {
    const old = maintenance({ lastUpdateTime: iso(now - 29 * day) })
    const late = { ...poll(2 * 24 * 60, []), reach: now - 28 * day }
    expect(states(poll(0, [old]), late, late)).toEqual([["CONFIRMED", expect.any(Number)]])
    expect(states(poll(0, [maintenance()]), poll(2 * 24 * 60, []), poll(3 * 24 * 60, []))).toEqual([
      ["CONFIRMED", first],
    ])
  })

  it("is not cancelled if its entry is invalid, or if an invalid entry has no ID", () => {
    for (const invalid of [{ name: "ab12-CD3" }, 42])
      expect(states(poll(0, [maintenance()]), poll(5, [], [invalid]), poll(10, [], [invalid]))[0]?.[0]).toBe(
        "CONFIRMED",
      )
    expect(states(poll(0, [maintenance()]), poll(5, [], [{ name: "x" }]), poll(10, [], [{ name: "x" }]))[0]?.[0]).toBe(
      "CANCELLED",
    )
  })

  it("is removed thirty days after its end", () => {
    expect(states(poll(0, [maintenance()]), poll(33 * 24 * 60, []))).toEqual([])
  })
})

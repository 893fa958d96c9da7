/** The calendar of `vigil serve`: the planned maintenance of the last lists, parsed by ical.js. */
import { describe, expect, it } from "@effect/vitest"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import { month } from "@vigil/testing/snapshots"
import ICAL from "ical.js"
import * as Calendar from "../../src/serve/Calendar.js"
import * as Maintenance from "../../src/serve/Maintenance.js"
import * as State from "../../src/serve/State.js"
import * as Drawing from "../../src/serve/Drawing.js"
import * as SubscriptionNames from "../../src/settings/SubscriptionNames.js"
import { firstState, subject } from "../support/server.js"

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

/** The text of the calendar. */
const write = (events: Events, source = "Subscription x", remark = "") =>
  [...Calendar.make(source, Maintenance.fromEvents(events), { minutes: 5, remark })].join("")

const calendar = (...events: Events) => read(write(events))

describe("the calendar", () => {
  it("has the planned maintenance of the events, and nothing else", () => {
    const events = calendar(...month.events)
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
    const lines = write([maintenance(properties)], "Subscription, x", "not of the tenant: 403").split("\r\n")
    expect(lines).toEqual([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//vigil//vigil serve//EN",
      "CALSCALE:GREGORIAN",
      String.raw`NAME:Planned maintenance: Subscription\, x`,
      String.raw`X-WR-CALNAME:Planned maintenance: Subscription\, x`,
      "DESCRIPTION:not of the tenant: 403",
      "X-WR-CALDESC:not of the tenant: 403",
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
    expect(calendar(maintenance(properties)).map(({ end }) => end)).toEqual(ends)
  })

  it("has a time zone if there are no events, because a calendar needs a component", () => {
    const parsed = new ICAL.Component(ICAL.parse(write([])))
    expect(parsed.getAllSubcomponents().map(({ name }) => name)).toEqual(["vtimezone"])
  })
})

describe("planned maintenance", () => {
  const resolved = { status: "Resolved", lastUpdateTime: iso(now) }

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
    expect(calendar(maintenance(properties))[0]?.status).toBe(status)
  })

  it("has a later version with each update", () => {
    const [first, second] = [maintenance(), maintenance({ lastUpdateTime: iso(now) })].map((one) => calendar(one)[0])
    expect(second?.sequence).toBeGreaterThan(Number(first?.sequence))
    expect(second?.modified).toBe(now)
  })

  it("stays while its entry is invalid, or an invalid entry has no ID, and leaves with its event", () => {
    const poll = (state: State.State, events: Events, invalid: ReadonlyArray<unknown> = []) =>
      State.next(
        state,
        { at: now, startedAt: 0, from: 0, duration: 0 },
        {
          ...State.noEvents,
          subject,
          events,
          readAt: now,
          problem: undefined,
          error: undefined,
          invalid: invalid.map((raw, index) => ({ raw, index, page: 1, path: "", problem: "" })),
        },
      )
    const uids = (state: State.State) => {
      const { replaced, snapshot } = Drawing.make(state, { names: SubscriptionNames.make([]) })
      return [...Maintenance.fromEvents([...replaced, ...snapshot.events]).keys()]
    }
    const other = maintenance({}, "OTHER")
    const first = poll(firstState, [maintenance(), other])
    for (const invalid of [{ name: "ab12-CD3" }, 42]) {
      const second = poll(first, [other], [invalid])
      expect(uids(second).toSorted()).toEqual(["ab12-cd3", "other"])
      expect(uids(poll(second, [other], [invalid])).toSorted()).toEqual(["ab12-cd3", "other"])
      expect(uids(poll(second, [other]))).toEqual(["other"])
    }
    expect(uids(poll(first, [other], [{ name: "x" }]))).toEqual(["other"])
  })
})

/** The metrics of `vigil serve`, and hostile texts in each of its formats. */
import { describe, expect, it } from "@effect/vitest"
import ICAL from "ical.js"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as Calendar from "../src/serve/Calendar.js"
import * as LivePage from "@vigil/health-report/LivePage"
import * as Maintenance from "../src/serve/Maintenance.js"
import * as Metrics from "../src/serve/Metrics.js"
import * as MetricsText from "../src/serve/MetricsText.js"
import * as State from "../src/serve/State.js"
import * as Views from "../src/serve/Views.js"
import { findHarm, texts } from "./hostile.js"
import { month, onePerType, replaceTexts } from "@vigil/testing/snapshots"

const stateOf = (snapshot: Snapshot) =>
  State.succeed(State.initial, { snapshot, invalid: [], reach: snapshot.from, duration: 1500 })

const metrics = (state: State.State) =>
  MetricsText.render([...Metrics.server({ state, now: month.now + 2500, version: "1.2.3" }), ...Metrics.events(state)])

/** The samples by name and labels. */
const read = (text: string) =>
  new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => {
        const [, series = line, value] =
          /^([a-z_]+(?:\{(?:[a-z]+="(?:[^"\\\n]|\\[\\n"])*",?)+\})?) ([\d.]+)$/.exec(line) ?? []
        return [series, Number(value)]
      }),
  )

describe("the metrics", () => {
  it("count the active events by type and level, and by service and region", () => {
    const samples = read(metrics(stateOf(month)))
    const active = month.events.filter(({ properties }) => properties?.status === "Active")
    const errors = active.filter(
      ({ properties }) => properties?.eventType === "ServiceIssue" && properties.eventLevel === "Error",
    )
    expect(errors.length).toBeGreaterThan(0)
    expect(samples.get('vigil_events_active{type="ServiceIssue",level="Error"}')).toBe(errors.length)
    expect(samples.get('vigil_events_active{type="RCA",level="Critical"}')).toBe(0)
    const { impactedRegions, impactedService } = errors[0]?.properties?.impact?.[0] ?? {}
    const place = `service="${impactedService}",region="${impactedRegions?.[0]?.impactedRegion}"`
    expect(samples.get(`vigil_event_impacts_active{type="ServiceIssue",level="Error",${place}}`)).toBeGreaterThan(0)
    const sum = [...samples]
      .filter(([key]) => key.startsWith("vigil_events_active"))
      .reduce((sum, [, one]) => sum + one, 0)
    expect(sum).toBe(active.length)
    expect(samples.get("vigil_events_unknown_status")).toBe(0)
    const odd = { name: "A", properties: { status: "Odd" } }
    expect(read(metrics(stateOf({ ...month, events: [odd] }))).get("vigil_events_unknown_status")).toBe(1)
  })

  it("have a limited number of time series, and name the places with the most events", () => {
    const at = (place: string, index: number) => ({
      name: `${place}${index}`,
      properties: {
        status: "Active",
        eventType: `Type ${index}`,
        // Places that an event names twice count once.
        impact: Array.from({ length: 2 }, () => ({
          impactedService: place,
          impactedRegions: [{ impactedRegion: place }],
        })),
      },
    })
    const events = Array.from({ length: 3_000 }, (_, index) => at(`S${index}`, index))
    const samples = read(metrics(stateOf({ ...month, events: [...events, at("Z", 1), at("Z", 2), at("Z", 3)] })))
    expect(samples.size).toBeLessThan(1_100)
    const impacts = (place: string) =>
      samples.get(`vigil_event_impacts_active{type="Other",level="Other",service="${place}",region="${place}"}`)
    expect(["S0", "Z", "S999", "(other)"].map(impacts)).toEqual([1, 3, undefined, 2_001])
    expect(samples.get('vigil_events_active{type="Other",level="Other"}')).toBe(3_003)
  })
})

/** Hostile events with unique IDs. Formulas are harmless in these formats. */
const hostile = Object.entries(texts).flatMap(([name, text]) => {
  if (name.startsWith("a formula")) return []
  const { events, ...rest } = replaceTexts(onePerType, () => text)
  return [[name, rest.source, events.map((event, index) => ({ ...event, name: `${index}${text}` }))] as const]
})

const huge = "<b>ü</b>&amp;;,\\\n".repeat(70_000)

const [event] = onePerType.events

const hugeProperties = { ...event?.properties, title: huge, summary: huge, impact: [{ impactedService: huge }] }

describe.each([...hostile, ["a megabyte", huge, [{ ...event, name: huge, properties: hugeProperties }]] as const])(
  "%s",
  (_, source, all) => {
    const snapshot = {
      ...onePerType,
      source,
      events: all.map((one) => ({
        ...one,
        properties: {
          ...one.properties,
          eventType: "PlannedMaintenance",
          eventLevel: "Other",
          level: null,
          impactStartTime: event?.properties?.impactStartTime,
        },
      })) as Snapshot["events"],
    }

    it("is harmless text in the calendar, the metrics, the page and JSON", () => {
      const entries = Maintenance.next(Maintenance.none, { ...snapshot, invalid: [], reach: 0 })
      const ics = Calendar.make(snapshot.source, entries, 5)
      expect(findHarm(ics.replaceAll("\r\n", "\n"))).toBeUndefined()
      expect(new ICAL.Component(ICAL.parse(ics)).getAllSubcomponents("vevent")).toHaveLength(all.length)
      expect(ics.length).toBeLessThan(100_000)

      const events = snapshot.events.map((one) => ({ ...one, properties: { ...one.properties, status: "Active" } }))
      const out = metrics(stateOf({ ...snapshot, events }))
      expect(findHarm(out)).toBeUndefined()
      expect(read(out).get('vigil_events_active{type="PlannedMaintenance",level="Other"}')).toBe(all.length)

      const page = LivePage.make(snapshot, { version: "1", failedAt: undefined })
      expect(findHarm(page)).toBeUndefined()
      expect(page.match(/<script>/g)).toHaveLength(1)
      const views = Views.maker(300_000).views(stateOf(snapshot))
      const json = views?.events().body.toString() ?? ""
      expect(findHarm(json)).toBeUndefined()
      expect(JSON.parse(json)).toEqual(snapshot.events)
    })
  },
)

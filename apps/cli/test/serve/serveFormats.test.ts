/** The metrics of `vigil serve`, and hostile texts in each of its formats. */
import { describe, expect, it } from "@effect/vitest"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import { month, onePerType, replaceTexts } from "@vigil/testing/snapshots"
import * as Effect from "effect/Effect"
import ICAL from "ical.js"
import * as Server from "../../src/listen/Server.js"
import * as SubscriptionNames from "../../src/settings/SubscriptionNames.js"
import { Output } from "../../src/output/Output.js"
import { findHarm, texts } from "../support/hostile.js"
import { collectNotes } from "../support/notes.js"
import { firstState, handlerOf, send, stateAfter, subject } from "../support/server.js"

/** Serves the snapshot, and returns the bodies of paths. */
const serve = (snapshot: Snapshot) =>
  Effect.gen(function* () {
    const state = stateAfter(firstState, snapshot)
    const names = SubscriptionNames.make([{ id: subject, name: snapshot.source }])
    const respond = handlerOf(() => state, { names, now: 2500 })
    const url = yield* Server.listen({ host: "127.0.0.1", port: 0, maxConnections: 10, respond }).pipe(
      Effect.provideService(Output, collectNotes().output),
    )
    return (path: string) => Effect.map(send(new URL(path, url).href), ({ text }) => text)
  })

const metrics = (snapshot: Snapshot) => Effect.flatMap(serve(snapshot), (get) => Effect.map(get("/metrics"), read))

/** The samples by name and labels. */
const read = (text: string) =>
  new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => {
        const [, series = line, value] =
          /^([a-z_]+(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\[\\n"])*",?)+\})?) ([\d.]+)$/.exec(line) ?? []
        return [series, Number(value)]
      }),
  )

describe("the metrics", () => {
  it.live("count the active events by type and level, and by service and region", () =>
    Effect.gen(function* () {
      const samples = yield* metrics(month)
      const active = month.events.filter(({ properties }) => properties?.status === "Active")
      const errors = active.filter(
        ({ properties }) => properties?.eventType === "ServiceIssue" && properties.eventLevel === "Error",
      )
      expect(errors.length).toBeGreaterThan(0)
      expect(samples.get('vigil_events_active{subscription="x",kind="issue",type="ServiceIssue",level="Error"}')).toBe(
        errors.length,
      )
      expect(samples.get('vigil_events_active{subscription="x",kind="notice",type="RCA",level="Critical"}')).toBe(0)
      const { impactedRegions, impactedService } = errors[0]?.properties?.impact?.[0] ?? {}
      const place = `service="${impactedService}",region="${impactedRegions?.[0]?.impactedRegion}"`
      expect(
        samples.get(
          `vigil_event_impacts_active{subscription="x",kind="issue",type="ServiceIssue",level="Error",${place}}`,
        ),
      ).toBeGreaterThan(0)
      const sum = [...samples]
        .filter(([key]) => key.startsWith("vigil_events_active"))
        .reduce((sum, [, one]) => sum + one, 0)
      expect(sum).toBe(active.length)
      expect(samples.get('vigil_events_unknown_status{subscription="x"}')).toBe(0)
      const odd = { name: "A", properties: { status: "Odd" } }
      expect((yield* metrics({ ...month, events: [odd] })).get('vigil_events_unknown_status{subscription="x"}')).toBe(1)
    }),
  )

  it.live("have a limited number of time series, and name the places with the most events", () =>
    Effect.gen(function* () {
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
      const samples = yield* metrics({ ...month, events: [...events, at("Z", 1), at("Z", 2), at("Z", 3)] })
      expect(samples.size).toBeLessThan(2_100)
      const impacts = (place: string) =>
        samples.get(
          `vigil_event_impacts_active{subscription="x",kind="issue",type="Other",level="Other",service="${place}",region="${place}"}`,
        )
      expect(["S0", "Z", "S999", "(other)"].map(impacts)).toEqual([1, 3, undefined, 2_001])
      expect(samples.get('vigil_events_active{subscription="x",kind="issue",type="Other",level="Other"}')).toBe(3_003)
    }),
  )
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
          status: "Active",
          eventType: "PlannedMaintenance",
          eventLevel: "Other",
          level: null,
          impactStartTime: event?.properties?.impactStartTime,
        },
      })) as Snapshot["events"],
    }

    it.live("is harmless text in the calendar, the metrics, the page and JSON", () =>
      Effect.gen(function* () {
        const get = yield* serve(snapshot)
        const ics = yield* get("/calendar.ics")
        expect(findHarm(ics.replaceAll("\r\n", "\n"))).toBeUndefined()
        expect(new ICAL.Component(ICAL.parse(ics)).getAllSubcomponents("vevent")).toHaveLength(all.length)
        expect(ics.length).toBeLessThan(100_000)
        const out = yield* get("/metrics")
        expect(findHarm(out)).toBeUndefined()
        expect(
          read(out).get('vigil_events_active{subscription="x",kind="notice",type="PlannedMaintenance",level="Other"}'),
        ).toBe(all.length)
        const page = yield* get("/")
        expect(findHarm(page)).toBeUndefined()
        expect(page.match(/<script>/g)).toHaveLength(1)
        const json = yield* get("/events")
        expect(findHarm(json)).toBeUndefined()
        expect(JSON.parse(json)).toMatchObject({ events: snapshot.events })
      }),
    )
  },
)

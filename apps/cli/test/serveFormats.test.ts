/** The feed and the metrics of `vigil serve`, and hostile texts in each of its formats. */
import { describe, expect, it } from "@effect/vitest"
import ICAL from "ical.js"
import Parser from "rss-parser"
import type { Snapshot } from "../src/events/Snapshot.js"
import * as Calendar from "../src/serve/Calendar.js"
import * as Digest from "../src/serve/Digest.js"
import * as EventId from "../src/serve/EventId.js"
import * as Feed from "../src/serve/Feed.js"
import * as LivePage from "../src/serve/LivePage.js"
import * as Maintenance from "../src/serve/Maintenance.js"
import * as Metrics from "../src/serve/Metrics.js"
import * as OpenMetrics from "../src/serve/OpenMetrics.js"
import * as State from "../src/serve/State.js"
import * as Views from "../src/serve/Views.js"
import { findHarm, texts } from "./hostile.js"
import { month, onePerType, replaceTexts } from "./snapshots.js"

const stateOf = (snapshot: Snapshot) =>
  State.succeed(State.initial, { snapshot, invalid: [], reach: snapshot.from, duration: 1500 })

const facts = (snapshot: Snapshot): Metrics.Facts => ({
  state: stateOf(snapshot),
  now: snapshot.now + 2500,
  version: "1.2.3",
  streams: 7,
})

const metrics = (snapshot: Snapshot) => {
  const own = facts(snapshot)
  return OpenMetrics.render([...Metrics.server(own), ...Metrics.events(own.state)], "openmetrics")
}

/** Parses the samples, and checks the rules of OpenMetrics: contiguous families, known suffixes, escaped labels, one EOF line. */
const read = (text: string) => {
  const lines = text.split("\n")
  expect(lines.splice(-2)).toEqual(["# EOF", ""])
  const types = new Map<string, string>()
  const samples = new Map<string, number>()
  let family = ""
  for (const line of lines) {
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE|UNIT) ([a-z_]+) (.+)$/.exec(line) ?? []
    if (keyword !== undefined) {
      if (keyword === "HELP") expect(types.has(name)).toBe(false)
      if (keyword === "UNIT") expect(name.endsWith(`_${rest}`)).toBe(true)
      family = name
      if (keyword === "TYPE") types.set(name, rest)
      continue
    }
    const label = String.raw`[a-z]+="(?:[^"\\\n]|\\[\\n"])*"`
    const sample = new RegExp(String.raw`^([a-z_]+)(\{${label}(?:,${label})*\})? (\d+(?:\.\d+)?)$`).exec(line)
    expect([line, sample?.[1]]).toEqual([
      line,
      family + { counter: "_total", gauge: "", info: "_info" }[types.get(family) ?? ""],
    ])
    const key = `${sample?.[1]}${sample?.[2] ?? ""}`
    expect(samples.has(key)).toBe(false)
    samples.set(key, Number(sample?.[3]))
  }
  return samples
}

describe("the metrics", () => {
  it("count the active events by type and level, and by service and region", () => {
    const samples = read(metrics(month))
    const active = month.events.filter(({ properties }) => properties?.status === "Active")
    const issues = active.filter(({ properties }) => properties?.eventType === "ServiceIssue")
    const errors = issues.filter(({ properties }) => properties?.eventLevel === "Error")
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
  })

  it("have the age, the duration and the results of polls", () => {
    expect(Object.fromEntries([...read(metrics({ ...onePerType, events: [] }))].slice(0, 7))).toEqual({
      'vigil_build_info{version="1.2.3"}': 1,
      'vigil_polls_total{result="success"}': 1,
      'vigil_polls_total{result="failure"}': 0,
      vigil_poll_age_seconds: 2.5,
      vigil_poll_duration_seconds: 1.5,
      vigil_invalid_entries: 0,
      vigil_streams: 7,
    })
  })

  it("count the notifications of each sink", () => {
    const sink = { pending: 3, retrying: 1, delivered: 5, failed: 2, deadLettered: 1, lastError: undefined }
    const families = Metrics.notifications([
      { sink: "chat", ...sink },
      { sink: "pager", ...sink, pending: 0 },
    ])
    expect(Object.fromEntries(read(OpenMetrics.render(families, "openmetrics")))).toMatchObject({
      'vigil_notifications_total{sink="chat",result="delivered"}': 5,
      'vigil_notifications_total{sink="pager",result="dead_lettered"}': 1,
      'vigil_notifications_waiting{sink="chat"}': 3,
      'vigil_notifications_waiting{sink="pager"}': 0,
    })
    expect(OpenMetrics.render(Metrics.notifications([]), "prometheus")).toBe("")
  })

  it("have a limited number of time series, however many names the service sends", () => {
    const [event] = month.events
    const events = Array.from({ length: 3000 }, (_, index) => ({
      ...event,
      name: `E${index}`,
      properties: {
        ...event?.properties,
        status: "Active",
        eventType: `Type ${index}`,
        eventLevel: `Level ${index}`,
        level: null,
        impact: [{ impactedService: `Service ${index}`, impactedRegions: [{ impactedRegion: `Region ${index}` }] }],
      },
    }))
    const samples = read(metrics({ ...month, events }))
    expect(samples.size).toBeLessThan(1_100)
    const rest = 'vigil_event_impacts_active{type="Other",level="Other",service="(other)",region="(other)"}'
    expect(samples.get(rest)).toBe(2_000)
    expect(samples.get('vigil_events_active{type="Other",level="Other"}')).toBe(3_000)
  })

  it("are text of OpenMetrics or of the older format", () => {
    const families: ReadonlyArray<OpenMetrics.Family> = [
      {
        name: "a",
        type: "info",
        help: 'The "build"',
        samples: [{ labels: { version: 'a\\b\n"c"', os: "x" }, value: 1 }],
      },
      { name: "b", type: "counter", help: "Polls\nof all", samples: [{ value: 2 }] },
      {
        name: "c_seconds",
        type: "gauge",
        unit: "seconds",
        help: "Age",
        samples: [{ value: 0.5 }, { labels: {}, value: 3 }],
      },
      { name: "d", type: "gauge", help: "Nothing", samples: [] },
    ]
    const samples = {
      a: String.raw`a_info{version="a\\b\n\"c\"",os="x"} 1`,
      b: "b_total 2",
      c: ["c_seconds 0.5", "c_seconds 3"],
    }
    expect(OpenMetrics.render(families, "openmetrics").split("\n")).toEqual([
      String.raw`# HELP a The \"build\"`,
      "# TYPE a info",
      samples.a,
      String.raw`# HELP b Polls\nof all`,
      "# TYPE b counter",
      samples.b,
      "# HELP c_seconds Age",
      "# TYPE c_seconds gauge",
      "# UNIT c_seconds seconds",
      ...samples.c,
      "# EOF",
      "",
    ])
    expect(OpenMetrics.render(families, "prometheus").split("\n")).toEqual([
      String.raw`# HELP a_info The \"build\"`,
      "# TYPE a_info gauge",
      samples.a,
      String.raw`# HELP b_total Polls\nof all`,
      "# TYPE b_total counter",
      samples.b,
      "# HELP c_seconds Age",
      "# TYPE c_seconds gauge",
      ...samples.c,
      "",
    ])
  })

  it("have no events before the first poll succeeds", () => {
    const families = [...Metrics.server({ ...facts(month), state: State.initial }), ...Metrics.events(State.initial)]
    const samples = read(OpenMetrics.render(families, "openmetrics"))
    expect([...samples.keys()].filter((name) => /events|impacts|age|duration/.test(name))).toEqual([])
    expect(samples.get('vigil_polls_total{result="success"}')).toBe(0)
  })

  it("name the places with the most events", () => {
    const at = (service: string, index: number) => ({
      name: `${service}${index}`,
      properties: {
        status: "Active",
        eventType: "RCA",
        impact: [{ impactedService: service }, { impactedService: service }],
      },
    })
    const events = [
      ...Array.from({ length: 1_000 }, (_, index) => at(`S${index}`, 1)),
      at("Z", 1),
      at("Z", 2),
      at("Z", 3),
    ]
    const samples = read(metrics({ ...month, events }))
    const impacts = (service: string, region = "") =>
      samples.get(`vigil_event_impacts_active{type="RCA",level="Other",service="${service}",region="${region}"}`)
    expect([impacts("S0"), impacts("Z"), impacts("S999"), impacts("(other)", "(other)")]).toEqual([1, 3, undefined, 1])
  })

  it("are in the format that the client accepts", () => {
    for (const accept of [
      "application/openmetrics-text",
      "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1",
      "text/plain, application/openmetrics-text; version=1.0.0",
    ])
      expect([accept, OpenMetrics.negotiate(accept)]).toEqual([accept, "openmetrics"])
    for (const accept of [
      undefined,
      "",
      "*/*",
      "text/plain",
      "text/html,*/*;q=0.8",
      "application/openmetrics-text;q=0",
    ])
      expect([accept, OpenMetrics.negotiate(accept)]).toEqual([accept, "prometheus"])
  })
})

const feed = (snapshot: Snapshot) => new Parser().parseString(Feed.make(snapshot))

describe("the feed", () => {
  it("has the latest events first, with stable IDs and their update time", async () => {
    const { items, title } = await feed(month)
    expect(title).toBe(`Service health: ${month.source}`)
    const times = items.map(({ isoDate }) => isoDate)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(items.length).toBe(Math.min(200, month.events.length))
    const [item] = items
    const event = month.events.find(
      ({ name }) => item?.["id"] === `tag:vigil-effect.github.io,2026:event/${name?.toLowerCase()}`,
    )
    expect(item?.title).toBe(event?.properties?.title)
    expect(item?.link).toBe(`events/${event?.name?.toLowerCase()}`)
    expect(item?.content).toContain("Service issue")
  })

  it.each(["9999-12-31T23:59:59-08:00", "0000-01-01T00:00:00+08:00"])(
    "uses the start of an event whose update time %s has no four-digit year in UTC",
    async (lastUpdateTime) => {
      const properties: object = { impactStartTime: "2026-03-10T12:00:00Z", lastUpdateTime }
      const { items } = await feed({ ...onePerType, events: [{ name: "AB12-CD3", properties }] })
      expect(items.map(({ isoDate }) => isoDate)).toEqual(["2026-03-10T12:00:00.000Z"])
    },
  )

  it.each([
    [{ eventType: "RCA", level: "Warning", status: "Active" }, ["RCA", "Warning", "Active"]],
    [{ eventType: "Active", status: "Active" }, ["Active", "No level"]],
    [null, ["No level"]],
  ])("has the type, the level and the status of the event %j as categories", (properties, terms) => {
    const xml = Feed.make({ ...onePerType, events: [{ name: "AB12-CD3", properties }] })
    expect([...xml.matchAll(/<category term="([^"]*)"/g)].map(([, term]) => term)).toEqual(terms)
  })

  it("has the latest events first, also of a list in another order", async () => {
    const at = (name: string, day: number) => {
      const properties: object = { title: name, lastUpdateTime: `2026-03-0${day}` }
      return { name, properties }
    }
    const snapshot: Snapshot = { ...onePerType, events: [at("b", 2), at("c", 3), at("a", 1)] }
    expect((await feed(snapshot)).items.map(({ title }) => title)).toEqual(["c", "b", "a"])
    expect(Feed.make(snapshot)).toMatch(/^[^]*?<updated>2026-03-03T00:00:00.000Z</)
    expect(Feed.make({ ...snapshot, events: [] })).toContain("<updated>1970-01-01T00:00:00.000Z<")
  })

  it("may be empty, and leaves out events without an ID", async () => {
    expect((await feed({ ...onePerType, events: [{ properties: { title: "x" } }] })).items).toEqual([])
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

describe.each([
  ...hostile,
  [
    "a megabyte",
    huge,
    [
      {
        ...event,
        name: huge,
        properties: {
          ...event?.properties,
          title: huge,
          summary: huge,
          impact: [{ impactedService: huge }],
        },
      },
    ],
  ] as const,
])("%s", (_, source, all) => {
  const snapshot = {
    ...onePerType,
    source,
    events: all.map((event) => ({
      ...event,
      properties: {
        ...event.properties,
        eventType: "PlannedMaintenance",
        eventLevel: "Other",
        level: null,
        impactStartTime: onePerType.events[0]?.properties?.impactStartTime,
      },
    })) as Snapshot["events"],
  }
  const title = Digest.title(snapshot.events[0] ?? {})

  it("is text in the feed", async () => {
    const xml = Feed.make(snapshot)
    expect(findHarm(xml)).toBeUndefined()
    const { items } = await feed(snapshot)
    expect(items.map((item) => item.title)).toEqual(snapshot.events.map(() => title))
    expect(xml.length).toBeLessThan(100_000)
  })

  it("is text in the calendar", () => {
    const entries = Maintenance.next(Maintenance.none, { ...snapshot, invalid: [], reach: 0 })
    const ics = Calendar.make(snapshot.source, entries, 5)
    expect(findHarm(ics.replaceAll("\r\n", "\n"))).toBeUndefined()
    const events = new ICAL.Component(ICAL.parse(ics)).getAllSubcomponents("vevent")
    expect(events.map((one) => one.getFirstPropertyValue("summary"))).toEqual(snapshot.events.map(() => title))
    expect(ics.length).toBeLessThan(100_000)
  })

  it("is a label of the metrics", () => {
    const active = snapshot.events.map(({ properties, ...event }) => ({
      ...event,
      properties: { ...properties, status: "Active" },
    }))
    const out = metrics({ ...snapshot, events: active })
    expect(findHarm(out)).toBeUndefined()
    expect(read(out).get('vigil_events_active{type="PlannedMaintenance",level="Other"}')).toBe(active.length)
  })

  it("is text on the page and in JSON", () => {
    const page = LivePage.make(snapshot, "1", undefined)
    expect(findHarm(page)).toBeUndefined()
    expect(page.match(/<script>/g)).toHaveLength(1)
    const views = Views.maker(300_000).views(stateOf(snapshot))
    const json = views?.events().body.toString() ?? ""
    expect(findHarm(json)).toBeUndefined()
    expect(JSON.parse(json)).toEqual(snapshot.events)
    const id = EventId.make(snapshot.events[0]) ?? ""
    expect(id).toMatch(/^[\w.!~*'()%-]{1,100}$/)
    expect(JSON.parse(views?.event(id)?.body.toString() ?? "null")).toEqual(snapshot.events[0])
  })
})

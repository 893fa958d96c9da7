/** The flags that select events, in the commands that read lists. */
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { run } from "../support/run.js"
import { serveSubscriptions } from "../support/service.js"

const event = (name: string, properties: object = {}) => ({ id: `/events/${name}`, name, properties })

const impactOf = (service: string, ...regions: ReadonlyArray<string>) => ({
  impactedService: service,
  impactedRegions: regions.map((impactedRegion) => ({ impactedRegion })),
})

const serve = (...pages: ReadonlyArray<ReadonlyArray<unknown>>) =>
  Effect.map(serveSubscriptions(pages.map((page) => Reply.page(page))), ({ origin }) => origin)

const names = (data: ReadonlyArray<string>) =>
  data.map((line): unknown => (JSON.parse(line) as { readonly name: unknown }).name)

/** Events with different types, levels, statuses and impacts. */
const various = [
  event("A", {
    eventType: "ServiceIssue",
    eventLevel: "Critical",
    status: "Active",
    impact: [impactOf("Storage", "West", "East")],
  }),
  event("B", {
    eventType: "serviceissue",
    eventLevel: "error",
    status: "resolved",
    impact: [impactOf("storage", "North"), impactOf("Compute", "West")],
  }),
  event("C", {
    eventType: "PlannedMaintenance",
    level: "Warning",
    eventLevel: "",
    status: "Active",
    impact: [impactOf("Network", "east")],
  }),
  event("D", { eventType: "Strange", eventLevel: null, status: null, impact: null }),
]

describe("the selection of events", () => {
  it.live.each([
    ["", "ABCD"],
    ["--type ServiceIssue --type PLANNEDMAINTENANCE", "ABC"],
    ["--level Error --level critical", "AB"],
    ["--status active", "ACD"],
    ["--service STORAGE --service network", "ABC"],
    ["--region w-est", "AB"],
    ["--region WE-ST --service compute", "B"],
    ["--level Critical --status Resolved", ""],
  ] as const)("with %j contains the events %s, although the service sends all", ([flags, wanted]) =>
    Effect.gen(function* () {
      const url = yield* serve(various)
      const { code, data } = yield* run(`events list -o jsonl -s x --base-url ${url} ${flags}`)
      expect(code).toBe(0)
      expect(names(data).join("")).toBe(wanted)
    }),
  )

  it.live("is the same in timelines", () =>
    Effect.gen(function* () {
      const url = yield* serve(various)
      const line = `events timeline -o jsonl -s x --base-url ${url} --type serviceissue --region west --service nope --service compute`
      const { data, notes } = yield* run(line)
      const impacts = data.map((text) => (JSON.parse(text) as { readonly trackingId: string }).trackingId)
      expect([...new Set(impacts)]).toEqual(["B"])
      expect(notes).toEqual([expect.stringContaining(`"nope"`)])
    }),
  )
})

describe("a watch with a selection", () => {
  const watch = (url: string, flags: string) =>
    run(`events watch --once -s x --base-url ${url} --since 2000-01-01 ${flags}`)
  const old = (properties: object) => event("A", { lastUpdateTime: "2026-03-10T11:00:00Z", ...properties })

  it.live.each([
    ["--level Error", { level: "Error" }, { level: "Warning" }],
    ["--level Warning", { level: "Error" }, { level: "Warning" }],
    ["--status Active", {}, { status: "Resolved" }],
    ["--service dns --region west", impactOf("DNS", "West"), impactOf("DNS", "East")],
    ["--service dns --region east", impactOf("DNS", "West"), impactOf("DNS", "East")],
    ["--service dns --type RCA", { eventType: "RCA", ...impactOf("DNS", "West") }, {}],
  ] as const)("by %s prints a change if the event matches before or after it", ([flags, before, after]) =>
    Effect.gen(function* () {
      const [one, two] = [before, after].map((one) =>
        old("impactedService" in one ? { eventType: "RCA", ...one, impact: [one] } : one),
      )
      const url = yield* serve([one], [two, event("OTHER", { status: "Resolved" })])
      const state = `--state-file ${join(yield* folder, "state")} ${flags}`
      expect((yield* watch(url, `${state} --baseline skip`)).data).toEqual([])
      expect((yield* watch(url, state)).data).toEqual([expect.stringMatching(/(?:Updated|Resolved) +A /)])
    }),
  )

  it.live("does not print other changes", () =>
    Effect.gen(function* () {
      const url = yield* serve([old({ level: "Error" })], [old({ level: "Warning" })])
      const state = `--state-file ${join(yield* folder, "state")} --level Critical`
      for (const _ of ["first", "second"])
        expect(yield* watch(url, state)).toMatchObject({ code: 0, data: [], notes: [] })
    }),
  )
})

describe("a --service or --region", () => {
  const listed = [
    event("A", { impact: [impactOf("Blob Storage", "West Europe")] }),
    event("B", { impact: [impactOf("Queue Storage", "East US", "Global"), impactOf("DNS")] }),
  ]

  it.live.each([
    ["--service Storage", [`the service "Storage". Did you mean "Blob Storage" or "Queue Storage"?`]],
    ["--region west-erope", [`the region "west-erope". Did you mean "West Europe"?`]],
    ["--service dns --service Nope --region westeurope", [`"Nope". The list has Blob Storage, Queue Storage, DNS.`]],
    ["--service dns --region westeurope", []],
  ] as const)("that no event names is noted for %j, with the nearest names of the list", ([flags, wanted]) =>
    Effect.gen(function* () {
      const url = yield* serve(listed)
      const { code, notes } = yield* run(`events list -s x --base-url ${url} ${flags}`)
      expect(code).toBe(0)
      expect(notes.slice(0, -1)).toEqual(wanted.map((words) => expect.stringContaining(words)))
    }),
  )
})

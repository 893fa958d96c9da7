import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply, World } from "@vigil/sandbox"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { run } from "./run.js"
import { service } from "./service.js"

const [first, second] = World.make({ now: 0 }).subscriptions

/** An event of a page, in the format of the response. */
const event = (name: string, properties: object = {}) => ({ id: `/events/${name}`, name, properties })

const impactOf = (service: string, ...regions: ReadonlyArray<string>) => ({
  impactedService: service,
  impactedRegions: regions.map((impactedRegion) => ({ impactedRegion })),
})

const names = (data: ReadonlyArray<string>) =>
  data.map((line): unknown => (JSON.parse(line) as { readonly name: unknown }).name)

const queries = (requests: ReadonlyArray<{ readonly target: string }>) =>
  requests.map(({ target }) => new URL(target, "http://x").searchParams)

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

describe("the level of an event", () => {
  it.scopedLive.each([
    ["one of its two fields is empty", { eventLevel: "", level: "Warning" }],
    ["only one of its two fields is known", { eventLevel: "Sev3", level: "Warning" }],
  ] as const)("is the same in tables, CSV and for --level if %s", ([, levels]) =>
    Effect.gen(function* () {
      const url = yield* service({
        body: JSON.stringify({
          value: [
            event("A", levels),
            event("B", {}),
            event("C", { eventLevel: "Critical", level: "Warning" }),
            event("D", { eventLevel: null }),
          ],
        }),
      })
      const line = `events list -s x --base-url ${url} --level warning`
      for (const format of ["table", "csv"]) {
        const { data } = yield* run(`${line} -o ${format}`)
        expect(data).toHaveLength(2)
        expect(data[1]).toContain("Warning")
      }
    }),
  )
})

describe("the selection of events", () => {
  it.scopedLive.each([
    ["", "ABCD"],
    ["--type serviceissue", "AB"],
    ["--type=RCA --type=serviceissue", "AB"],
    ["--type ServiceIssue --type PLANNEDMAINTENANCE", "ABC"],
    ["--level Error --level critical", "AB"],
    ["--level warning", "C"],
    ["--status active", "AC"],
    ["--status Active --type ServiceIssue", "A"],
    ["--service storage", "AB"],
    ["--service STORAGE --service network", "ABC"],
    ["--region west", "AB"],
    ["--region w-est", "AB"],
    ["--region WE-ST --service compute", "B"],
    ["--service Storage --region West", "A"],
    ["--service Storage --region Nowhere", ""],
    ["--level Critical --status Resolved", ""],
  ] as const)("with %j contains the events %s, although the service sends all", ([flags, wanted]) =>
    Effect.gen(function* () {
      const url = yield* service({ body: JSON.stringify({ value: various }) })
      const { code, data, notes } = yield* run(`events list -o jsonl -s x --base-url ${url} ${flags}`)
      expect(code).toBe(0)
      expect(names(data).join("")).toBe(wanted)
      expect(notes.at(-1)).toBe(`${wanted.length} event${wanted.length === 1 ? "" : "s"} on 1 page`)
    }),
  )

  it.scopedLive.each([
    ["--service Storage --region West", null],
    ["--type RCA --level Error --status Active", null],
    ["--filter properties/isHIR", "properties/isHIR"],
    ["--filter a --service Storage", "a"],
  ] as const)(
    "with %j sends only the expression of --filter, because services may compare names exactly",
    ([flags, filter]) =>
      Effect.gen(function* () {
        const server = yield* Faults.serve([Reply.page([])])
        const { code } = yield* run(`events list -s x --base-url ${server.origin} ${flags}`)
        expect(code).toBe(0)
        expect(queries(yield* server.requests).map((query) => query.get("$filter"))).toEqual([filter])
      }),
  )

  it.live("rejects a blank name", () =>
    Effect.gen(function* () {
      const { code, notes } = yield* run(["events", "list", "--sandbox", "--region", "  "])
      expect(code).toBe(2)
      expect(notes).toEqual([`vigil: --region " " is invalid: pass a name.`])
    }),
  )

  it.scopedLive.each(["events list", "events list --subscriptions-file -", "events timeline"])(
    "in %s succeeds if --since excludes every valid event",
    (line) =>
      Effect.gen(function* () {
        const server = yield* Faults.serve(() =>
          Reply.page([event("A", { lastUpdateTime: "2026-01-01T00:00:00Z" }), { name: 1 }]),
        )
        const where = line === "events list --subscriptions-file -" ? "" : "-s x"
        const { code } = yield* run(`${line} --since 10m --base-url ${server.origin} ${where}`, { input: ["x"] })
        expect(code).toBe(0)
      }),
  )

  it.live("contains the same events of the sandbox as a search in its JSON", () =>
    Effect.gen(function* () {
      const all = yield* run("events list --sandbox -o jsonl --since 60d")
      const some = yield* run("events list --sandbox -o jsonl --since 60d --level critical --type ServiceIssue")
      const wanted = all.data.filter(
        (line) => /"eventType":"ServiceIssue"/.test(line) && /"eventLevel":"Critical"/.test(line),
      )
      expect(wanted.length).toBeGreaterThan(0)
      expect(some.data).toHaveLength(wanted.length)
    }),
  )

  it.scopedLive("leaves out invalid entries, and notes them", () =>
    Effect.gen(function* () {
      const url = yield* service({ body: JSON.stringify({ value: [42, event("A", { status: "Active" })] }) })
      const { data, notes } = yield* run(`events list -o jsonl -s x --base-url ${url} --status Active`)
      expect(names(data)).toEqual(["A"])
      expect(notes).toEqual([
        "vigil: entry 0 of a page is not an event: it must be an object, not a number",
        "1 event on 1 page; 1 invalid entry not shown",
      ])
    }),
  )

  it.live.each([
    ["--type Outage", `--type "Outage" is invalid: pass ServiceIssue, PlannedMaintenance,`],
    [
      "--level critcal",
      `--level "critcal" is invalid: pass Critical, Error, Warning or Informational. Did you mean Critical?`,
    ],
    ["--status Open", `--status "Open" is invalid: pass Active or Resolved.`],
    ["--since yesterday", `--since "yesterday" is invalid: pass a duration`],
    ["--service=", "--service has no value: pass --service <service>."],
    ["--level --status Active", "--level has no value: pass --level Critical | Error"],
    ["--type", "--type has no value: pass --type ServiceIssue |"],
    ["--limit 0", `--limit "0" is invalid: pass a whole number of at least 1.`],
    ["--limit many", `--limit "many" is invalid: pass a whole number of at least 1.`],
    ["--resource /a/b --since 3d", "--since and --resource are mutually exclusive"],
    ["--checkpoint-file f -o json", "--checkpoint-file and --output json are mutually exclusive"],
  ] as const)("refuses %j", ([flags, words]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(`events list --sandbox ${flags}`)
      expect({ code, data }).toEqual({ code: 2, data: [] })
      expect(notes).toEqual([expect.stringContaining(words)])
    }),
  )
})

describe("events list", () => {
  it.scopedLive("prints invalid entries in their place, although --since leaves out entries before them", () =>
    Effect.gen(function* () {
      const at = (age: number) => ({ lastUpdateTime: new Date(Date.now() - age).toISOString() })
      const entries = [event("A", at(0)), event("OLD", at(3_600_000)), { name: 7 }, event("B", at(0))]
      const server = yield* Faults.serve(() => Reply.page(entries))
      const { data } = yield* run(`events list -s x -o jsonl --since 10m --base-url ${server.origin}`)
      expect(names(data)).toEqual(["A", 7, "B"])
    }),
  )

  it.live("lists events as far back as --since", () =>
    Effect.gen(function* () {
      const counts = yield* Effect.forEach(["1h", "2 weeks"], (since) =>
        Effect.map(run(["events", "list", "--sandbox", "-o", "jsonl", "--since", since]), ({ data }) => data.length),
      )
      const byDefault = yield* run("events list --sandbox -o jsonl")
      expect(counts[0]).toBeLessThan(byDefault.data.length)
      expect(counts[1]).toBeGreaterThan(byDefault.data.length)
    }),
  )

  it.scopedLive("sends the day of --since as the start time of the query", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.page([])])
      yield* run(`events list -s x --base-url ${server.origin} --since 2026-03-10T12:00`)
      expect(queries(yield* server.requests)[0]?.get("queryStartTime")).toBe("3/10/2026")
    }),
  )

  it.live("lists several subscriptions one after the other, each once", () =>
    Effect.gen(function* () {
      const list = (...ids: ReadonlyArray<string>) =>
        Effect.map(run(`events list --sandbox -o jsonl ${ids.map((id) => `-s ${id}`).join(" ")}`), ({ data }) =>
          names(data),
        )
      const [one, other] = [yield* list(first.id), yield* list(second.id)]
      expect(yield* list(second.id, first.id, second.id)).toEqual([...other, ...one])
    }),
  )

  it.live("prints the subscriptions before one that can't be listed, and stops there", () =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(`events list --sandbox -o jsonl -s ${first.id} -s nope`)
      expect(code).toBe(5)
      expect(data.length).toBeGreaterThan(0)
      expect(notes).toEqual([
        "vigil: nope: Could not read all events of this subscription.",
        expect.stringContaining("The subscription 'nope' could not be found."),
      ])
    }),
  )

  it.scopedLive("lists a subscription once if its ID is repeated in another case", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve(() => Reply.page([]))
      yield* run(`events list -s Ab -s aB -s c --base-url ${server.origin}`)
      const targets = (yield* server.requests).map(({ target }) => target.split("/")[2])
      expect(targets).toEqual(["Ab", "c"])
    }),
  )

  it.scopedLive("stops requesting pages and printing events at --limit", () =>
    Effect.gen(function* () {
      const pages = ["A", "B", "C"].map((name) => Reply.page([event(name), event(`${name}2`)], "?next"))
      const server = yield* Faults.serve(pages)
      const { code, data, notes } = yield* run(`events list -o jsonl -s x -s y --base-url ${server.origin} --limit 3`)
      expect(code).toBe(0)
      expect(names(data)).toEqual(["A", "A2", "B"])
      expect(notes).toEqual(["first 3 events"])
      expect(yield* server.requests).toHaveLength(2)
    }),
  )

  it.scopedLive.each([["jsonl"], ["json"], ["csv"], ["yaml"]] as const)(
    "prints the first page as %s before the last one arrives",
    ([format]) =>
      Effect.gen(function* () {
        const printed = yield* Deferred.make<void>()
        const server = yield* Faults.serve([
          Reply.page([event("A")], "?next"),
          Reply.delayUntil(Deferred.await(printed), Reply.page([event("B")])),
        ])
        const { code, data } = yield* run(`events list -o ${format} -s x --base-url ${server.origin}`, {
          watch: () => Effect.asVoid(Deferred.succeed(printed, undefined)),
        })
        expect(code).toBe(0)
        expect(data.join("\n")).toMatch(/A[^]*B/)
      }),
  )

  it.scopedLive("shows its progress on a terminal, and clears it at the end", () =>
    Effect.gen(function* () {
      const url = yield* service(
        { body: JSON.stringify({ value: [event("A"), event("B")], nextLink: "?next" }) },
        { body: JSON.stringify({ value: [event("C")] }) },
      )
      const { statuses } = yield* run(`events list -s x --base-url ${url}`)
      expect(statuses).toEqual([
        expect.stringMatching(/^1 page, 2 events(, \d+ events\/s)?$/),
        expect.stringMatching(/^2 pages, 3 events(, \d+ events\/s)?$/),
        undefined,
      ])
    }),
  )

  it.live.each([
    [60, "TRACKING ID LEVEL STATUS TITLE"],
    [40, "TRACKING ID STATUS TITLE"],
  ] as const)("keeps titles readable in a terminal of %i columns", ([width, headings]) =>
    Effect.gen(function* () {
      const { data, notes } = yield* run("events list --sandbox --limit 20", { width })
      expect(notes).toContainEqual(expect.stringMatching(/^Hidden columns: TYPE, .*\. Show them with --output wide\.$/))
      expect(data[0]?.trim().replace(/ +/g, " ")).toBe(headings)
      expect(Math.max(...data.map((line) => line.length))).toBe(width)
      expect(data[1]).toMatch(/\S.{15,}…$/)
    }),
  )

  it.scopedLive("colors levels if color is enabled, and keeps the columns aligned", () =>
    Effect.gen(function* () {
      const value = ["Critical", "error", "Warning", "Informational", "Odd"].map((eventLevel) =>
        event("A", { eventLevel, title: "漢字" }),
      )
      const url = yield* service({ body: JSON.stringify({ value }) })
      const plain = yield* run(`events list -s x --base-url ${url}`, { width: 60 })
      const { data } = yield* run(`events list -s x --base-url ${url}`, { width: 60, color: true })
      // oxlint-disable-next-line no-control-regex -- Colors are control sequences.
      expect(data.map((line) => line.replaceAll(/\u001b\[\d+m/g, ""))).toEqual(plain.data)
      const [headings, ...rows] = data
      expect(headings).not.toContain("\u001b")
      expect(rows.map((line) => /\S*(?:Critical|error|Warning|Informational|Odd)\S*/.exec(line)?.[0])).toEqual([
        "\u001b[31mCritical\u001b[0m",
        "\u001b[31merror\u001b[0m",
        "\u001b[33mWarning\u001b[0m",
        "\u001b[2mInformational\u001b[0m",
        "Odd",
      ])
    }),
  )
})

const serveEntries = (...entries: ReadonlyArray<unknown>) => service({ body: JSON.stringify({ value: entries }) })

const formats = ["table", "wide", "csv", "json", "jsonl", "yaml"] as const

describe("a list whose entries are all invalid", () => {
  it.scopedLive.each(formats)("exits with 7 as %s, and explains how to print them", (format) =>
    Effect.gen(function* () {
      const url = yield* serveEntries(42, "x")
      const { code, notes } = yield* run(`events list -s x --base-url ${url} -o ${format}`)
      expect(code).toBe(7)
      expect(notes.at(-1)).toBe(
        "vigil: All 2 entries are invalid. Run vigil events list --output json to see what the service sent, or pass --allow-invalid to accept it.",
      )
    }),
  )

  it.scopedLive.each(["events list", "events timeline", "events list --subscriptions-file -"])(
    "exits with 0 for %s --allow-invalid",
    (command) =>
      Effect.gen(function* () {
        const url = yield* serveEntries(42)
        const source = command === "events list --subscriptions-file -" ? "" : "-s x"
        const strict = yield* run(`${command} ${source} --base-url ${url}`, { input: ["x"] })
        const lenient = yield* run(`${command} ${source} --base-url ${url} --allow-invalid`, { input: ["x"] })
        expect([strict.code, lenient.code]).toEqual([7, 0])
      }),
  )

  it.scopedLive.each(formats)("exits with 0 as %s if one of them is a valid event", (format) =>
    Effect.gen(function* () {
      const url = yield* serveEntries(42, event("A"))
      expect((yield* run(`events list -s x --base-url ${url} -o ${format}`)).code).toBe(0)
    }),
  )

  it.scopedLive("exits with 0 if it is empty", () =>
    Effect.gen(function* () {
      const url = yield* serveEntries()
      expect((yield* run(`events list -s x --base-url ${url}`)).code).toBe(0)
    }),
  )
})

describe("the summary of events list", () => {
  const entries = [42, event("A"), event("B"), 43, event("C")]

  it.scopedLive.each([
    ["", ["A", "B", "C"], "3 events on 1 page; 2 invalid entries not shown"],
    ["--limit 2", ["A", "B"], "first 2 events; 2 invalid entries not shown"],
  ] as const)("counts only the rows of a table with %j", ([flags, wanted, summary]) =>
    Effect.gen(function* () {
      const url = yield* serveEntries(...entries)
      const { data, notes } = yield* run(`events list -s x --base-url ${url} ${flags}`)
      expect(data.slice(1).map((line) => line.split("\t")[0])).toEqual(wanted)
      expect(notes.at(-1)).toBe(summary)
    }),
  )

  it.scopedLive.each([
    ["", 5, "3 events on 1 page; 2 invalid entries printed as sent"],
    ["--limit 2", 2, "first 1 event; 1 invalid entry printed as sent"],
  ] as const)("counts valid and invalid entries of JSON lines separately with %j", ([flags, lines, summary]) =>
    Effect.gen(function* () {
      const url = yield* serveEntries(...entries)
      const { data, notes } = yield* run(`events list -s x --base-url ${url} -o jsonl ${flags}`)
      expect(data).toHaveLength(lines)
      expect(notes.at(-1)).toBe(summary)
    }),
  )
})

describe("a table", () => {
  it.live.each(["events list", "apps list", "apps whoami", "auth status", "doctor"])(
    "of %s has tab-separated cells without a terminal",
    (command) =>
      Effect.gen(function* () {
        const { data } = yield* run(`${command} --sandbox`)
        const counts = new Set(data.map((line) => line.split("\t").length))
        expect(counts.size).toBe(1)
        expect(counts).not.toContain(1)
        expect(data.filter((line) => line.includes("  "))).toEqual([])
      }),
  )

  it.live("shows every column with --output wide, aligned and wider than the terminal", () =>
    Effect.gen(function* () {
      const { data, notes } = yield* run("events list --sandbox --limit 20 -o wide", { width: 40 })
      expect(data[0]).toMatch(
        /^TRACKING ID {2,}TYPE {2,}LEVEL {2,}STATUS {2,}TITLE {2,}SERVICES {2,}REGIONS {2,}UPDATED/,
      )
      expect(data.join("")).not.toContain("…")
      expect(Math.max(...data.map((line) => line.length))).toBeGreaterThan(100)
      expect(notes).toEqual(["first 20 events"])
    }),
  )
})

describe("a --service or --region", () => {
  const listed = [
    event("A", { impact: [impactOf("Blob Storage", "West Europe")] }),
    event("B", { impact: [impactOf("Queue Storage", "East US", "Global"), impactOf("DNS")] }),
  ]

  it.scopedLive.each([
    ["--service Blob", ['vigil: No listed event names the service "Blob". Did you mean "Blob Storage"?']],
    [
      "--service Storage",
      ['vigil: No listed event names the service "Storage". Did you mean "Blob Storage" or "Queue Storage"?'],
    ],
    ["--region europe", ['vigil: No listed event names the region "europe". Did you mean "West Europe"?']],
    ["--region west-erope", ['vigil: No listed event names the region "west-erope". Did you mean "West Europe"?']],
    ["--region Mars", ['vigil: No listed event names the region "Mars". The list has West Europe, East US, Global.']],
    [
      "--service dns --service Nope --region westeurope",
      ['vigil: No listed event names the service "Nope". The list has Blob Storage, Queue Storage, DNS.'],
    ],
    ["--service dns --region westeurope", []],
    ["--service Nope --limit 1 --service dns", []],
  ] as const)("that no event names is noted for %j, with the nearest names of the list", ([flags, wanted]) =>
    Effect.gen(function* () {
      const url = yield* serveEntries(...listed)
      const { code, notes } = yield* run(`events list -s x --base-url ${url} ${flags}`)
      expect(code).toBe(0)
      expect(notes.slice(0, -1)).toEqual(wanted)
    }),
  )

  it.scopedLive("that no event names is noted without other names if the list is empty", () =>
    Effect.gen(function* () {
      const { notes } = yield* run(`events list -s x --base-url ${yield* serveEntries()} --service Blob`)
      expect(notes).toEqual(['vigil: No listed event names the service "Blob".', "0 events on 1 page"])
    }),
  )

  it.live("matches regions regardless of case, spaces and hyphens", () =>
    Effect.gen(function* () {
      const runs = yield* Effect.forEach(["West Europe", "westeurope", "WEST-EUROPE"], (region) =>
        run(["events", "list", "--sandbox", "-o", "jsonl", "--since", "30d", "--region", region]),
      )
      const [one, ...others] = runs.map(({ data }) => names(data))
      expect(one?.length).toBeGreaterThan(0)
      for (const other of others) expect(other).toEqual(one)
    }),
  )
})

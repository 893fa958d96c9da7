import { describe, expect, it } from "@effect/vitest"
import { Reply, World } from "@vigil/sandbox"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { run } from "../support/run.js"
import { serveSubscriptions, service } from "../support/service.js"

afterEach(() => void vi.unstubAllEnvs())

const world = World.make({ now: Date.now() })

/** An event of a page, in the format of the response. */
const event = (name: string, properties: object = {}) => ({ id: `/events/${name}`, name, properties })

const names = (data: ReadonlyArray<string>) =>
  data.map((line): unknown => (JSON.parse(line) as { readonly name: unknown }).name)

describe("events list", () => {
  it.live("prints a table of all pages of every subscription of the sandbox, and says what was read", () =>
    Effect.gen(function* () {
      vi.stubEnv("VIGIL_SANDBOX", "1")
      const { code, data, notes } = yield* run("events list")
      const headings = "EVENT\tTYPE\tLEVEL\tSTATUS\tTITLE\tSERVICES\tREGIONS\tUPDATED (UTC)"
      expect([code, data[0]]).toEqual([0, `SUBSCRIPTION\t${headings}`])
      expect(data[1]).toMatch(/^[\w, ]+\t\w{4}-\w{3}\t\w+\t\w+\t(Active|Resolved)\t.+\d{4}-\d\d-\d\d \d\d:\d\d$/)
      const [first, second] = yield* Effect.forEach(world.subscriptions, ({ name }) => run(`events list -s ${name}`))
      const tenant = yield* run("events list --tenant-wide")
      expect(first?.data[0]).toBe(headings)
      const ids = (lines: ReadonlyArray<string> = [], column = 0) =>
        lines.slice(1).map((line) => line.split("\t")[column])
      const emerging = world.emergingIssues.map(({ event }) => event.name)
      const expected = new Set([...ids(first?.data), ...ids(second?.data), ...ids(tenant.data), ...emerging])
      expect(ids(data, 1).toSorted()).toEqual([...expected].toSorted())
      const pages = (count: number) => Math.ceil(count / 50)
      const counts = [first, second].map((ended) => (ended?.data.length ?? 0) - 1)
      const all = `${data.length - 1} events of Production and Staging, the tenant and emerging issues`
      const total = counts.reduce((sum, count) => sum + pages(count), 2)
      expect(notes).toEqual([`${all} on ${total} pages, updated in the last 3d`])
      const one = `${counts[0]} events of Production on ${pages(counts[0] ?? 0)} pages`
      expect(first?.notes).toEqual([`${one}, updated in the last 3d`])
    }),
  )

  it.live("lists the events of a resource, or with --tenant-wide those that only the tenant has", () =>
    Effect.gen(function* () {
      const { code, notes } = yield* run(`events list --sandbox --resource ${world.resources[0]?.uri}`)
      expect({ code, notes }).toEqual({
        code: 0,
        notes: [expect.stringMatching(/^\d+ events? of the resource on \d+ pages?$/)],
      })
      const { data } = yield* run("events list --sandbox --tenant-wide --since 60d --output jsonl")
      const ofTenant = world.events.filter(({ subscriptions }) => subscriptions.length === 0)
      expect(data.map((line) => JSON.parse(line)["name"])).toEqual(ofTenant.map(({ event }) => event.name))
    }),
  )

  it.live("prints entries as sent in JSON, with the precision of JavaScript", () =>
    Effect.gen(function* () {
      const sent = `[{"name":"A","__proto__":null,"n":[12345678901234567890,1e400,-0,0.1000000000000000055]},42,{"name":"B","properties":{"priority":99}}]`
      const url = yield* service({ body: `{"value":${sent}}` })
      const line = `events list -s x --base-url ${url} -o`
      const { code, data, notes } = yield* run(`${line} json`)
      expect(JSON.parse(data.join("\n"))).toEqual(JSON.parse(JSON.stringify(JSON.parse(sent))))
      expect((yield* run(`${line} jsonl`)).data.map((one): unknown => JSON.parse(one))).toEqual(
        JSON.parse(data.join("\n")),
      )
      expect(code).toBe(0)
      expect(notes).toEqual([
        "vigil: entry 1 of page 1 is not an event: it must be an object, not a number",
        "vigil: entry 2 of page 1 (B) is not an event: properties.priority must be a whole number from 0 to 23",
        "1 event of x on 1 page, updated in the last 3d; 2 invalid entries printed as sent",
      ])
    }),
  )

  it.live("leaves the array open if the list fails, and prints none if the first request fails", () =>
    Effect.gen(function* () {
      const url = yield* service(
        { body: `{"value":[{"name":"A"}],"nextLink":"?p=2"}` },
        { status: 502, body: "<html>" },
      )
      const { code, data, notes } = yield* run(`events list -o json -s x --base-url ${url}`)
      expect({ code, data, notes }).toEqual({
        code: 6,
        data: ["[", ` {"name":"A"}`],
        notes: [expect.stringContaining("502")],
      })
      const refused = yield* run("events list -o json -s x --base-url http://127.0.0.1:1")
      expect(refused).toMatchObject({ code: 6, data: [] })
    }),
  )

  it.live("prints the events before a link to another origin, does not follow it, and fails", () =>
    Effect.gen(function* () {
      const url = yield* service({ body: `{"value":[{"name":"A"}],"nextLink":"https://evil.example/x"}` })
      const { code, data, notes } = yield* run(`events list -s x --base-url ${url}`)
      expect(code).toBe(7)
      expect(data.map((line) => line.trim())).toEqual([expect.stringContaining("EVENT"), "A"])
      expect(notes).toEqual([expect.stringContaining("https://evil.example")])
    }),
  )

  it.live("neither changes joined characters nor cuts cells without a terminal", () =>
    Effect.gen(function* () {
      const title = `👩‍👩‍👧 می‌خواهم ${"x".repeat(10_000)}`
      const url = yield* service({ body: JSON.stringify({ value: [{ name: "A", properties: { title } }] }) })
      expect((yield* run(`events list -s x --base-url ${url}`)).data[1]).toContain(title)
    }),
  )

  it.live("prints 200,000 events of a page, more than a call can have arguments", () =>
    Effect.gen(function* () {
      const value = Array.from({ length: 200_000 }, (_, index) => ({ id: `/events/${index}` }))
      const url = yield* service({ body: JSON.stringify({ value }) })
      const { code, data } = yield* run(`events list -s x --base-url ${url}`)
      expect([code, data.length]).toEqual([0, value.length + 1])
    }),
  )

  it.live("prints invalid entries in their place, although --since leaves out entries before them", () =>
    Effect.gen(function* () {
      const at = (age: number) => ({ lastUpdateTime: new Date(Date.now() - age).toISOString() })
      const entries = [event("A", at(0)), event("OLD", at(3_600_000)), { name: 7 }, event("B", at(0))]
      const server = yield* serveSubscriptions(() => Reply.page(entries))
      const { data } = yield* run(`events list -s x -o jsonl --since 10m --base-url ${server.origin}`)
      expect(names(data)).toEqual(["A", 7, "B"])
    }),
  )

  it.live("sends --since and --filter only, because services may compare names exactly", () =>
    Effect.gen(function* () {
      const server = yield* serveSubscriptions([Reply.page([])])
      const flags = "--filter a --since 2026-03-10T12:00 --service Storage --type RCA"
      expect((yield* run(`events list -s x --base-url ${server.origin} ${flags}`)).code).toBe(0)
      const [{ target } = { target: "" }] = yield* server.requests
      expect(Object.fromEntries(new URL(target, server.origin).searchParams)).toMatchObject({
        $filter: "a",
        queryStartTime: "3/10/2026",
      })
    }),
  )

  it.live("stops requesting pages and printing events at --limit", () =>
    Effect.gen(function* () {
      const pages = ["A", "B", "C"].map((name) => Reply.page([event(name), event(`${name}2`)], "?next"))
      const server = yield* serveSubscriptions(pages)
      const { code, data, notes } = yield* run(`events list -o jsonl -s x -s y --base-url ${server.origin} --limit 3`)
      expect(code).toBe(0)
      const events = data.map((line) => (JSON.parse(line) as { readonly event: object }).event)
      expect(events).toMatchObject([{ name: "A" }, { name: "A2" }, { name: "B" }])
      expect(notes).toEqual(["first 3 events of 2 subscriptions, updated in the last 3d"])
      expect(yield* server.requests).toHaveLength(2)
    }),
  )

  it.live.each([["jsonl"], ["json"], ["csv"]] as const)(
    "prints the first page as %s before the last one arrives",
    ([format]) =>
      Effect.gen(function* () {
        const printed = yield* Deferred.make<void>()
        const server = yield* serveSubscriptions([
          Reply.page([event("A")], "?next"),
          Effect.as(Deferred.await(printed), Reply.page([event("B")])),
        ])
        const { code, data } = yield* run(`events list -o ${format} -s x --base-url ${server.origin}`, {
          watch: () => Effect.asVoid(Deferred.succeed(printed, undefined)),
        })
        expect(code).toBe(0)
        expect(data.join("\n")).toMatch(/A[^]*B/)
      }),
  )

  it.live.each([
    [200, "EVENT TYPE LEVEL STATUS TITLE SERVICES REGIONS UPDATED (UTC)", ""],
    [140, "EVENT TYPE LEVEL STATUS TITLE SERVICES REGIONS UPDATED (UTC)", ""],
    [80, "EVENT TYPE LEVEL TITLE SERVICES REGIONS", "STATUS, UPDATED (UTC)"],
    [40, "EVENT LEVEL TITLE", "TYPE, STATUS, SERVICES, REGIONS, UPDATED (UTC)"],
  ] as const)("hides the least important columns of a table of %i cells", ([width, headings, hidden]) =>
    Effect.gen(function* () {
      const { data, notes } = yield* run("events list --sandbox -s Production --limit 50", { width })
      expect(data[0]?.replace(/ +/g, " ")).toBe(headings)
      expect(Math.max(...data.map((line) => line.length))).toBe(width)
      expect(data.join()).not.toMatch(/\bPlanned…/)
      const note = `Hidden columns: ${hidden}. Show them with --output wide.`
      expect(notes).toEqual([...(hidden === "" ? [] : [note]), "first 50 events of Production, updated in the last 3d"])
      const wide = yield* run("events list --sandbox -s Production --limit 50 --output wide", { width })
      expect(wide.notes).toEqual(["first 50 events of Production, updated in the last 3d"])
    }),
  )

  it.live("names subscriptions in 80 cells, and keeps types, services, regions and the beginnings of titles", () =>
    Effect.gen(function* () {
      const { data } = yield* run("events list --sandbox -s Production -s Staging --limit 50", { width: 80 })
      expect(data[0]?.replace(/ +/g, " ")).toBe("SUBSCRI… EVENT TYPE LEVEL TITLE SERVICES REGIONS")
      expect(data[0]?.match(/TITLE +/)?.[0].length).toBeGreaterThan(17)
      const planned = yield* run("events list --sandbox --starts-within 7d", { width: 80 })
      expect(planned.data[0]?.replace(/ +/g, " ")).toMatch(/TITLE SERVICES REGIONS STARTS \(UTC\)$/)
    }),
  )

  it.live("prints what starts soon, the earliest first, of events that were updated in the last 90 days", () =>
    Effect.gen(function* () {
      const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
      const planned = (name: string, days: number, status = "Active") => ({
        name,
        properties: { eventType: "PlannedMaintenance", status, impactStartTime: at(days), lastUpdateTime: at(-30) },
      })
      const events = [
        planned("LATER", 8),
        planned("B", 6),
        planned("A", 1),
        planned("PAST", -1),
        planned("OFF", 2, "Resolved"),
      ]
      const server = yield* serveSubscriptions([Reply.page(events)])
      const { data, notes } = yield* run(`events list --starts-within 7d -s x --base-url ${server.origin}`)
      expect(data.map((line) => line.split("\t")[0])).toEqual(["EVENT", "A", "B"])
      expect(data[0]).toMatch(/STARTS \(UTC\)$/)
      expect(notes).toEqual(["2 events of x on 1 page, updated in the last 90d"])
    }),
  )

  it.live("sorts by a column: the most severe level first, and the latest update first", () =>
    Effect.gen(function* () {
      const event = (name: string, eventLevel: string, day: number) => ({
        name,
        properties: {
          eventLevel,
          title: name.toLowerCase(),
          lastUpdateTime: `2026-03-1${day}T00:00:00Z`,
          priority: day,
        },
      })
      const events = [event("C", "Warning", 3), 1, event("A", "Critical", 1), event("B", "Error", 2)]
      const sorted = (flags: string) =>
        Effect.gen(function* () {
          const server = yield* serveSubscriptions([Reply.page(events)])
          const { data } = yield* run(`events list ${flags} -s x --since 2026-01-01 --base-url ${server.origin}`)
          return data.map((line) => line.split(/[\t,]/)[0])
        })
      expect(yield* sorted("--sort-by level --no-headers")).toEqual(["A", "B", "C"])
      expect(yield* sorted("--sort-by updated --no-headers")).toEqual(["C", "B", "A"])
      expect(yield* sorted("--sort-by priority --no-headers --columns trackingId")).toEqual(["A", "B", "C"])
      expect(yield* sorted("--sort-by title --output csv --columns trackingId")).toEqual(["trackingId", "A", "B", "C"])
      expect(yield* sorted("--sort-by level --output csv --columns trackingId --limit 2 --no-headers")).toEqual([
        "A",
        "B",
      ])
      const lines = yield* sorted("--sort-by title --output jsonl")
      expect(lines).toEqual(['{"name":"A"', '{"name":"B"', '{"name":"C"', "1"])
    }),
  )

  it.live.each([
    ["--sort-by titl", "Did you mean title?"],
    ["--sort-by title --checkpoint-file x", "mutually exclusive"],
    ["--no-headers --output jsonl", "mutually exclusive"],
    ["--starts-within 7d --checkpoint-file x", "mutually exclusive"],
  ] as const)("refuses %s", ([flags, words]) =>
    Effect.gen(function* () {
      expect(yield* run(`events list --sandbox ${flags}`)).toMatchObject({
        code: 2,
        notes: [expect.stringContaining(words)],
      })
    }),
  )

  it.live("prints the columns of --columns, by heading or field name", () =>
    Effect.gen(function* () {
      const properties = { title: "T", level: "Error", summary: "S", lastUpdateTime: "2026-03-10T11:00:00Z" }
      const url = yield* service({ body: JSON.stringify({ value: [event("A", properties)] }) })
      const line = `events list -s x --base-url ${url} --columns updated,Level,summary,tracking-id`
      expect((yield* run(line)).data).toEqual(["UPDATED (UTC)\tLEVEL\tSUMMARY\tEVENT", "2026-03-10 11:00\tError\tS\tA"])
      expect((yield* run(`${line} -o csv`)).data).toEqual([
        "updated,Level,summary,tracking-id",
        "2026-03-10T11:00:00Z,Error,S,A",
      ])
    }),
  )

  it.live("colors levels if color is enabled", () =>
    Effect.gen(function* () {
      const value = ["error", "Warning", "Informational", "Odd"].map((eventLevel) => event("A", { eventLevel }))
      const url = yield* service({ body: JSON.stringify({ value }) })
      const { data } = yield* run(`events list -s x --base-url ${url} --columns level`, { width: 60, color: true })
      const codes = data.slice(1).map((line) => /\[(\d+)m\w/.exec(line)?.[1])
      expect(codes).toEqual(["31", "33", "2", undefined])
    }),
  )

  it.live.each([
    ["--type Outage", `--type "Outage" is invalid`],
    ["--region=\u00a0", "is invalid: pass a name"],
    ["--limit 0", `--limit "0" is invalid`],
    ["--resource /a/b --since 3d", "--since and --resource are mutually exclusive"],
    ["--checkpoint-file f -o json", "--checkpoint-file and --output json are mutually exclusive"],
    ["--columns title -o jsonl", "--columns and --output jsonl are mutually exclusive"],
    [
      "--columns level,tite",
      `--columns has an unknown name, "tite". Did you mean title? The columns are subscription, id, trackingId, `,
    ],
    ["--columns ,", `unknown name, "". The columns are subscription, id, trackingId, `],
    ["--subscription s --tenant-wide", "--subscription and --tenant-wide are mutually exclusive"],
    ["--subscriptions-file - -s x", "--subscription and --subscriptions-file are mutually exclusive"],
    ["--subscriptions-file -", "stdin contains no subscriptions"],
    ["--subscriptions-file /nowhere/ids", `The file "/nowhere/ids" can't be read (ENOENT)`],
  ] as const)("refuses %j", ([flags, words]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(`events list --sandbox ${flags}`)
      expect({ code, data }).toEqual({ code: 2, data: [] })
      expect(notes).toEqual([expect.stringContaining(words)])
    }),
  )
})

const serveEntries = (...entries: ReadonlyArray<unknown>) => service({ body: JSON.stringify({ value: entries }) })

describe("a list whose entries are all invalid", () => {
  it.live.each(["list -s x", "list -s x -o csv", "list -s x -o json", "list --subscriptions-file -", "timeline -s x"])(
    "makes events %s exit with 7, unless invalid entries are allowed or --since leaves out valid ones",
    (line) =>
      Effect.gen(function* () {
        const invalid = yield* serveEntries(42, "x")
        const old = yield* serveEntries(42, event("A", { lastUpdateTime: "2026-01-01T00:00:00Z" }))
        const end = (flags: string) => run(`events ${line} ${flags}`, { input: ["x"] })
        const { code, notes } = yield* end(`--base-url ${invalid}`)
        expect([code, notes.at(-1)]).toEqual([
          7,
          "vigil: All 2 entries are invalid. Run vigil events list --output json to see what the service sent, or pass --allow-invalid to accept it.",
        ])
        expect((yield* end(`--base-url ${invalid} --allow-invalid`)).code).toBe(0)
        expect((yield* end(`--base-url ${old} --since 10m`)).code).toBe(0)
        expect((yield* end(`--base-url ${yield* serveEntries(42, event("A"))}`)).code).toBe(0)
      }),
  )
})

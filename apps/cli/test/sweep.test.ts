import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply, World } from "@vigil/sandbox"
import { parse as parseCsv } from "csv-parse/sync"
import * as Effect from "effect/Effect"
import { parse as parseYaml } from "yaml"
import { folder } from "./folder.js"
import { run } from "./run.js"

const [first, second] = World.make({ now: 0 }).subscriptions

/** A service that responds with the list entries or the status code of each subscription. */
const service = (responses: Readonly<Record<string, ReadonlyArray<unknown> | number>>) =>
  Faults.serve(({ target }) => {
    const [, id = ""] = /subscriptions\/([^/]+)\//.exec(target) ?? []
    const response = responses[decodeURIComponent(id)] ?? 404
    return typeof response === "number"
      ? Reply.text("{}", { status: response })
      : Reply.text(JSON.stringify({ value: response }))
  })

const sweep = (server: { readonly origin: string }, input: ReadonlyArray<string>, ...args: ReadonlyArray<string>) =>
  run(["events", "sweep", "--base-url", server.origin, ...args], { input })

const eventIn = (region: string) => ({
  name: "A",
  properties: { impact: [{ impactedService: "Storage", impactedRegions: [{ impactedRegion: region }] }] },
})

describe("events sweep", () => {
  it.live("lists the events of all subscriptions of the sandbox", () =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run("events sweep --sandbox")
      expect([code, notes]).toEqual([0, [`${data.length - 1} events of 2 subscriptions`]])
      expect(data[0]).toMatch(/^SUBSCRIPTION\tTRACKING ID\tTYPE\t/)
      const ids = new Set(data.slice(1).map((line) => line.split("\t")[0]))
      expect(ids).toEqual(new Set([first.id, second.id]))
    }),
  )

  it.live("merges the same event of several subscriptions with --join", () =>
    Effect.gen(function* () {
      const single = yield* run("events sweep --sandbox -o json")
      const joined = yield* run("events sweep --sandbox -o json --join")
      const rows = JSON.parse(joined.data.join("\n")) as ReadonlyArray<{
        readonly subscriptions: ReadonlyArray<string>
        readonly event: { readonly name: string }
      }>
      const sightings = JSON.parse(single.data.join("\n")) as ReadonlyArray<unknown>
      expect(new Set(rows.map(({ event }) => event.name)).size).toBe(rows.length)
      expect(rows.some(({ subscriptions }) => subscriptions.length === 2)).toBe(true)
      expect(joined.notes).toEqual([`${rows.length} events, seen ${sightings.length} times in 2 subscriptions`])
    }),
  )

  it.scopedLive("merges the impact, and names all subscriptions", () =>
    Effect.gen(function* () {
      const server = yield* service({ a: [eventIn("West")], b: [eventIn("East")] })
      const { data } = yield* sweep(server, ["a", "b"], "--join", "-o", "csv", "--concurrency", "1")
      const [row] = parseCsv(data.join("\n"), { columns: true }) as ReadonlyArray<Readonly<Record<string, string>>>
      expect(row).toMatchObject({ subscriptions: "a, b", trackingId: "A", regions: "West, East" })
    }),
  )

  it.scopedLive("prints all entries in JSON, JSON lines and YAML, and only events in CSV", () =>
    Effect.gen(function* () {
      const event = { name: "A", extra: { deep: [1e21, "ü"] }, properties: { title: "=1+1" } }
      const server = yield* service({ a: [event, 42] })
      const all = [
        { subscription: "a", event },
        { subscription: "a", event: 42 },
      ]
      const json = yield* sweep(server, ["a"], "-o", "json")
      expect(JSON.parse(json.data.join("\n"))).toEqual(all)
      expect(json.notes).toEqual([
        "vigil: a: an entry is not an event: it must be an object, not a number",
        "1 event of 1 subscription; 1 invalid entry printed as sent",
      ])
      const jsonl = yield* sweep(server, ["a"], "-o", "jsonl")
      expect(jsonl.data.map((line): unknown => JSON.parse(line))).toEqual(all)
      expect(parseYaml((yield* sweep(server, ["a"], "-o", "yaml")).data.join("\n"))).toEqual(all)
      const csv = parseCsv((yield* sweep(server, ["a"], "-o", "csv")).data.join("\n"), { columns: true }) as unknown
      expect(csv).toEqual([expect.objectContaining({ subscription: "a", trackingId: "A", title: "'=1+1" })])
      const joined = yield* sweep(server, ["a"], "-o", "json", "--join")
      expect(JSON.parse(joined.data.join("\n"))).toEqual([
        { subscriptions: ["a"], event },
        { subscriptions: ["a"], event: 42 },
      ])
    }),
  )

  it.scopedLive("prints texts with control characters on one line", () =>
    Effect.gen(function* () {
      const title = "\u001b[31mred\r\nover\u0008\u202egnp.exe"
      const server = yield* service({ a: [{ name: "A", properties: { title } }] })
      const { data } = yield* sweep(server, ["a"])
      expect(data).toHaveLength(2)
      expect(data[1]).toBe("a\tA\t\t\t\tred over gnp.exe\t\t\t")
    }),
  )

  it.scopedLive("sends the flags for each subscription", () =>
    Effect.gen(function* () {
      const server = yield* service({ a: [], b: [] })
      const flags = ["--filter", "service eq 'A&B'", "--api-version", "2025-04-01", "--since", "2026-03-10"]
      expect((yield* sweep(server, ["a", "b"], ...flags)).code).toBe(0)
      const requests = yield* server.requests
      expect(requests).toHaveLength(2)
      for (const { target } of requests)
        expect(Object.fromEntries(new URL(target, server.origin).searchParams)).toEqual({
          "api-version": "2025-04-01",
          $filter: "service eq 'A&B'",
          queryStartTime: "3/10/2026",
        })
    }),
  )

  it.scopedLive("shows its progress", () =>
    Effect.gen(function* () {
      const server = yield* service({ a: [{ name: "A" }], b: 404 })
      const { statuses } = yield* sweep(server, ["a", "b"], "--concurrency", "1")
      expect(statuses).toEqual([
        "[--------------------] 0/2 subscriptions, 0 failed, 0 events",
        "[##########----------] 1/2 subscriptions, 0 failed, 1 event",
        "[####################] 2/2 subscriptions, 1 failed, 1 event",
        undefined,
      ])
    }),
  )

  it.scopedLive("reads as many subscriptions at once as --concurrency", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const gate = Effect.unsafeMakeLatch()
      const server = yield* Faults.serve(({ target }) => {
        seen.push(target)
        if (seen.length === 3) gate.unsafeOpen()
        return Effect.as(gate.await, Reply.text(`{"value":[]}`))
      })
      // With a lower concurrency, the first request would wait for the third forever.
      expect((yield* sweep(server, ["a", "b", "c"], "--concurrency", "3")).code).toBe(0)
    }),
  )
})

describe("subscriptions that fail", () => {
  it.scopedLive("are noted and counted by reason, and the exit code is 1", () =>
    Effect.gen(function* () {
      const server = yield* service({ a: [{ name: "A" }], b: 404, c: 403, d: 404, e: 400 })
      const { code, data, notes } = yield* sweep(server, ["a", "b", "c", "d", "e"], "-o", "json", "--concurrency", "1")
      expect(code).toBe(1)
      expect(JSON.parse(data.join("\n"))).toEqual([{ subscription: "a", event: { name: "A" } }])
      expect(notes).toEqual([
        "vigil: b: The health service responded 404. Check the ID and the base URL.",
        "vigil: c: The health service responded 403. Ask for the permission, or use a token that has it.",
        "vigil: d: The health service responded 404. Check the ID and the base URL.",
        "vigil: e: The health service responded 400. Check the request.",
        "1 event of 5 subscriptions",
        "vigil: 4 of 5 subscriptions failed: 2 not found, 1 forbidden, 1 service error 400.",
      ])
    }),
  )

  it.scopedLive.each([
    [401, 3, "unauthorized"],
    [403, 4, "forbidden"],
    [404, 5, "not found"],
    [400, 8, "service error 400"],
  ] as const)("with only status %i end the command with %i, and no data is printed", ([status, code, why]) =>
    Effect.gen(function* () {
      const server = yield* service({ a: status, b: status })
      for (const args of [["-o", "json"], ["-o", "csv", "--join"], []]) {
        const run = yield* sweep(server, ["a", "b"], ...args)
        expect([run.code, run.data]).toEqual([code, []])
        expect(run.notes.at(-1)).toBe(`vigil: 2 of 2 subscriptions failed: 2 ${why}.`)
      }
    }),
  )

  it.scopedLive("for different reasons exit with 1", () =>
    Effect.gen(function* () {
      const server = yield* service({ a: 404, b: 403 })
      const { code, data } = yield* sweep(server, ["a", "b"], "-o", "json")
      expect([code, data]).toEqual([1, []])
    }),
  )

  it.live("without a connection are counted by the system's error code", () =>
    Effect.gen(function* () {
      const { code, notes } = yield* sweep({ origin: "http://127.0.0.1:1" }, ["a"])
      expect(code).toBe(6)
      expect(notes.at(-1)).toBe("vigil: 1 of 1 subscription failed: 1 transport error ECONNREFUSED.")
    }),
  )

  it.scopedLive("keep the events that were read before the failure", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.text(`{"value":[{"name":"A"}],"nextLink":"https://evil.example"}`)])
      const { code, data, notes } = yield* sweep(server, ["a"], "-o", "jsonl")
      expect([code, data]).toEqual([7, [`{"subscription":"a","event":{"name":"A"}}`]])
      expect(notes.at(-1)).toBe("vigil: 1 of 1 subscription failed: 1 link refused.")
    }),
  )
})

describe("the subscriptions of a sweep", () => {
  const lines = ["\ufeffa", "", "  # all of ours", "b # the other\r", "A", "b"]

  it.scopedLive.each([["stdin by default"], ["stdin with -"], ["a file"]] as const)(
    "are read from %s, each once, without comments",
    ([from]) =>
      Effect.gen(function* () {
        const server = yield* service({ a: [], b: [] })
        const file = join(yield* folder, "my ids")
        writeFileSync(file, lines.join("\n"))
        const args = { "a file": [file], "stdin with -": ["-"] }[from as string]
        const { code, notes } = yield* sweep(
          server,
          from === "a file" ? [] : lines,
          ...(args === undefined ? [] : ["--subscriptions-file", ...args]),
        )
        expect([code, notes]).toEqual([0, ["0 events of 2 subscriptions"]])
      }),
  )

  it.scopedLive("are rejected with the number of an invalid line", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "ids")
      writeFileSync(file, "a\n\nx/\u001b[31my\n")
      const { code, data, notes } = yield* run(["events", "sweep", "--sandbox", "--subscriptions-file", file])
      expect([code, data]).toEqual([2, []])
      expect(notes).toEqual([
        `vigil: Line 3 of ${JSON.stringify(file)} is not a subscription ID: "x/\\u001b[31my". Write one ID per line, without slashes.`,
      ])
    }),
  )

  it.live("of stdin are read with --sandbox too, unless stdin is a terminal or empty", () =>
    Effect.gen(function* () {
      const line = "events sweep --sandbox -o jsonl"
      const subscriptions = ({ data }: { readonly data: ReadonlyArray<string> }) =>
        new Set(data.map((one) => (JSON.parse(one) as { readonly subscription: string }).subscription))
      const both = new Set([first.id, second.id])
      expect(subscriptions(yield* run(line, { input: [second.id] }))).toEqual(new Set([second.id]))
      expect(subscriptions(yield* run(line, { input: ["", "# none"] }))).toEqual(both)
      expect(subscriptions(yield* run(line, { input: [second.id], answers: [] }))).toEqual(both)
      expect(subscriptions(yield* run(`${line} --subscriptions-file -`, { input: [second.id], answers: [] }))).toEqual(
        new Set([second.id]),
      )
    }),
  )

  it.live("are required if stdin is a terminal", () =>
    Effect.gen(function* () {
      const { code, notes } = yield* run("events sweep --base-url http://127.0.0.1:1", { answers: [] })
      expect([code, notes]).toEqual([
        2,
        [expect.stringContaining("No subscriptions are configured: pass --subscriptions-file FILE")],
      ])
    }),
  )

  it.live.each([
    ["--subscriptions-file -", "stdin contains no subscription IDs: write one ID per line."],
    [
      "--subscriptions-file /nowhere/ids",
      `The file "/nowhere/ids" can't be read (ENOENT). Check --subscriptions-file.`,
    ],
    ["--concurrency 0", `--concurrency "0" is invalid: pass a whole number from 1 to 16.`],
    ["--concurrency 17", `--concurrency "17" is invalid`],
    ["--concurrency many", `--concurrency "many" is invalid`],
    ["--since never", `--since "never" is invalid`],
  ] as const)("are rejected with the invalid flag %s", ([flag, words]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(`events sweep --sandbox ${flag}`)
      expect([code, data, notes]).toEqual([2, [], [expect.stringContaining(words)]])
    }),
  )
})

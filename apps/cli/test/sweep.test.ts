import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import { parse as parseCsv } from "csv-parse/sync"
import * as Effect from "effect/Effect"
import { folder } from "./folder.js"
import { run } from "./run.js"

/** A service that responds with the list entries or the status code of each subscription. */
const service = (responses: Readonly<Record<string, ReadonlyArray<unknown> | number>>) =>
  Faults.serve(({ target }) => {
    const [, id = ""] = /subscriptions\/([^/]+)\//.exec(target) ?? []
    const response = responses[decodeURIComponent(id)] ?? 404
    return typeof response === "number"
      ? Reply.text("{}", { status: response })
      : Reply.text(JSON.stringify({ value: response }))
  })

const list = (server: { readonly origin: string }, input: ReadonlyArray<string>, ...args: ReadonlyArray<string>) =>
  run(["events", "list", "--subscriptions-file", "-", "--base-url", server.origin, ...args], { input })

const eventIn = (region: string, eventType = "ServiceIssue") => ({
  name: "A",
  properties: { eventType, impact: [{ impactedService: "Storage", impactedRegions: [{ impactedRegion: region }] }] },
})

const parseLines = ({ data }: { readonly data: ReadonlyArray<string> }): ReadonlyArray<unknown> =>
  data.map((line) => JSON.parse(line))

const rows = ({ data }: { readonly data: ReadonlyArray<string> }) =>
  parseCsv(data.join("\n"), { columns: true }) as ReadonlyArray<Readonly<Record<string, string>>>

describe("events list --subscriptions-file", () => {
  it.live("prints the entries of each subscription", () =>
    Effect.gen(function* () {
      const event = { name: "A", properties: { title: "T" } }
      const server = yield* service({ a: [event, 42] })
      const table = yield* list(server, ["a"])
      expect(table.data).toEqual([
        "SUBSCRIPTION\tTRACKING ID\tTYPE\tLEVEL\tSTATUS\tTITLE\tSERVICES\tREGIONS\tUPDATED (UTC)",
        "a\tA\t\t\t\tT\t\t\t",
      ])
      const jsonl = yield* list(server, ["a"], "-o", "jsonl")
      expect(parseLines(jsonl)).toEqual([
        { subscription: "a", event },
        { subscription: "a", event: 42 },
      ])
      expect(jsonl.notes).toEqual([
        "vigil: a: an entry is not an event: it must be an object, not a number",
        "1 event of 1 subscription; 1 invalid entry printed as sent",
      ])
      expect(rows(yield* list(server, ["a"], "-o", "csv"))).toEqual([
        expect.objectContaining({ subscription: "a", trackingId: "A" }),
      ])
    }),
  )

  it.live("merges the same event of several subscriptions with --join", () =>
    Effect.gen(function* () {
      const server = yield* service({ a: [eventIn("West")], b: [eventIn("East")] })
      const ended = yield* list(server, ["a", "b"], "--join", "-o", "csv")
      const [row, ...others] = rows(ended)
      expect(others).toEqual([])
      // The lists end in any order.
      expect([row?.["subscriptions"]?.split(", ").toSorted(), row?.["regions"]?.split(", ").toSorted()]).toEqual([
        ["a", "b"],
        ["East", "West"],
      ])
      expect(ended.notes).toEqual(["1 event, seen 2 times in 2 subscriptions"])
    }),
  )

  it.live("applies the flags that select events, and names those that match nothing", () =>
    Effect.gen(function* () {
      const server = yield* service({ a: [eventIn("West"), eventIn("West", "RCA"), 42] })
      const flags = "-o jsonl --type rca --region west --region nowhere"
      const ended = yield* list(server, ["a"], ...flags.split(" "))
      expect([ended.code, parseLines(ended)]).toEqual([0, [{ subscription: "a", event: eventIn("West", "RCA") }]])
      expect(ended.notes.slice(1)).toEqual([
        "1 event of 1 subscription; 1 invalid entry not shown",
        expect.stringContaining(`"nowhere"`),
      ])
    }),
  )

  it.live("sends --filter and --since for each subscription, and shows its progress", () =>
    Effect.gen(function* () {
      const server = yield* service({ a: [], b: [] })
      const { statuses } = yield* list(server, ["a", "b"], "--filter", "service eq 'A&B'", "--since", "2026-03-10")
      expect(statuses).toEqual([
        "0/2 subscriptions, 0 failed, 0 events",
        "1/2 subscriptions, 0 failed, 0 events",
        "2/2 subscriptions, 0 failed, 0 events",
        undefined,
      ])
      const requests = yield* server.requests
      expect(requests).toHaveLength(2)
      for (const { target } of requests)
        expect(Object.fromEntries(new URL(target, server.origin).searchParams)).toMatchObject({
          $filter: "service eq 'A&B'",
          queryStartTime: "3/10/2026",
        })
    }),
  )
})

describe("subscriptions that fail", () => {
  it.live("are noted and counted, and the exit code is 1", () =>
    Effect.gen(function* () {
      const server = yield* service({ a: [{ name: "A" }], b: 404, c: 403, d: 404, e: 400 })
      const ended = yield* list(server, ["a", "b", "c", "d", "e"], "-o", "jsonl")
      expect([ended.code, parseLines(ended)]).toEqual([1, [{ subscription: "a", event: { name: "A" } }]])
      expect(ended.notes.map((note) => /^vigil: ([b-e]): .* (\d{3})\./.exec(note)?.slice(1).join()).toSorted()).toEqual(
        ["b,404", "c,403", "d,404", "e,400", undefined, undefined],
      )
      expect(ended.notes.slice(-2)).toEqual(["1 event of 5 subscriptions", expect.stringMatching(/^vigil: 4 of 5 /)])
    }),
  )

  it.live("print no data if none succeeds", () =>
    Effect.gen(function* () {
      const server = yield* service({ a: 404, b: 403 })
      for (const args of [["-o", "json"], ["-o", "csv", "--join"], []])
        expect(yield* list(server, ["a", "b"], ...args)).toMatchObject({ code: 1, data: [] })
    }),
  )
})

describe("a file of subscriptions", () => {
  it.live("has each ID once, and comments", () =>
    Effect.gen(function* () {
      const lines = ["\ufeffa", "", "  # all of ours", "b # the other\r", "A", "b"]
      const server = yield* service({ a: [], b: [] })
      const file = join(yield* folder, "my ids")
      writeFileSync(file, lines.join("\n"))
      const fromFile = yield* run(["events", "list", "--subscriptions-file", file, "--base-url", server.origin])
      for (const { code, notes } of [fromFile, yield* list(server, lines)])
        expect([code, notes]).toEqual([0, ["0 events of 2 subscriptions"]])
    }),
  )

  it.live("is rejected with the number of an invalid line", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "ids")
      writeFileSync(file, "a\n\nx/\u001b[31my\n")
      const { code, data, notes } = yield* run(["events", "list", "--sandbox", "--subscriptions-file", file])
      expect([code, data]).toEqual([2, []])
      expect(notes).toEqual([
        `vigil: Line 3 of ${JSON.stringify(file)} is not a subscription ID: "x/\\u001b[31my". Write one ID per line, without slashes.`,
      ])
    }),
  )

  it.live.each([
    ["--subscriptions-file -", "stdin contains no subscription IDs"],
    ["--subscriptions-file /nowhere/ids", `The file "/nowhere/ids" can't be read (ENOENT)`],
    ["--subscriptions-file - -s x", "--subscription and --subscriptions-file are mutually exclusive"],
    ["--subscriptions-file - --checkpoint-file x", "--checkpoint-file and --subscriptions-file are mutually exclusive"],
    ["--join", "--join requires --subscriptions-file"],
  ] as const)("is rejected with %s", ([flags, words]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(`events list --sandbox ${flags}`)
      expect([code, data, notes]).toEqual([2, [], [expect.stringContaining(words)]])
    }),
  )
})

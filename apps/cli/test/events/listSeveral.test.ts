/** `vigil events list` of several subscriptions, from flags or a file. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import { parse as parseCsv } from "csv-parse/sync"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { run } from "../support/run.js"
import { subscriptionService as service } from "../support/service.js"

const list = (server: { readonly origin: string }, input: ReadonlyArray<string>, ...args: ReadonlyArray<string>) =>
  run(["events", "list", "--subscriptions-file", "-", "--base-url", server.origin, ...args], { input })

const eventIn = (region: string) => ({
  name: "A",
  properties: { impact: [{ impactedService: "Storage", impactedRegions: [{ impactedRegion: region }] }] },
})

const parseLines = ({ data }: { readonly data: ReadonlyArray<string> }): ReadonlyArray<unknown> =>
  data.map((line) => JSON.parse(line))

const rows = ({ data }: { readonly data: ReadonlyArray<string> }) =>
  parseCsv(data.join("\n"), { columns: true }) as ReadonlyArray<Readonly<Record<string, string>>>

describe("several subscriptions", () => {
  it.live("are printed with each entry, and read once if repeated in another case", () =>
    Effect.gen(function* () {
      const event = { name: "A", properties: { title: "T" } }
      const server = yield* service({ a: [event, 42] })
      const table = yield* list(server, ["a"])
      expect(table.data).toEqual([
        "SUBSCRIPTION\tEVENT\tTYPE\tLEVEL\tSTATUS\tTITLE\tSERVICES\tREGIONS\tUPDATED (UTC)",
        "a\tA\t\t\t\tT\t\t\t",
      ])
      const jsonl = yield* list(server, ["a", "A", "a"], "-o", "jsonl")
      expect(parseLines(jsonl)).toEqual([
        { subscription: "a", event },
        { subscription: "a", event: 42 },
      ])
      expect(jsonl.notes).toEqual([
        "vigil: a: entry 1 of page 1 is not an event: it must be an object, not a number",
        "1 event of a on 1 page, updated in the last 3d; 1 invalid entry printed as sent",
      ])
      expect(rows(yield* list(server, ["a"], "-o", "csv"))).toEqual([
        expect.objectContaining({ subscription: "a", trackingId: "A" }),
      ])
    }),
  )

  it.live("have an event once in a table, and each has its own for programs", () =>
    Effect.gen(function* () {
      const server = yield* service({ a: [eventIn("West")], b: [eventIn("East"), 42] })
      const flags = ["--columns", "subscription,regions"]
      const table = yield* list(server, ["a", "b"], ...flags)
      expect(table.data).toEqual(["SUBSCRIPTION\tREGIONS", "a, b\tWest, East"])
      expect(table.notes.at(-1)).toBe(
        "1 event of 2 subscriptions on 2 pages, updated in the last 3d; 1 invalid entry not shown",
      )
      expect(table.statuses.at(-2)).toMatch(/^\d\/2 subscriptions, 0 failed, 2 pages, 2 events/)
      const each = [
        { subscription: "a", regions: "West" },
        { subscription: "b", regions: "East" },
      ]
      const csv = yield* list(server, ["a", "b"], "-o", "csv", ...flags)
      expect(rows(csv)).toEqual(expect.arrayContaining(each))
      expect((yield* list(server, ["a", "b"], "--limit", "9", ...flags)).data.slice(1)).toEqual(["a\tWest", "b\tEast"])
    }),
  )

  it.live("are printed without one that sends no page in time, and the note names the flag", () =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve(({ target }) =>
        /subscriptions\/b\//.test(target) ? Reply.silent : Reply.page([eventIn("West")]),
      )
      const { code, data, notes } = yield* list({ origin }, ["a", "b"], "--list-timeout", "1s")
      expect([code, data.length]).toEqual([1, 2])
      expect(notes[0]).toMatch(/^vigil: b: .* within 1s in total. Try again or allow more time with --list-timeout\.$/)
    }),
  )

  it.live("are printed without the end of one that never ends, but in full for programs", () =>
    Effect.gen(function* () {
      let pages = 0
      const { origin } = yield* Faults.serve(({ target }) => {
        if (!/subscriptions\/b\//.test(target)) return Reply.page([eventIn("West")])
        pages += 1
        return Reply.page([], pages % 2_000 === 0 ? null : `/subscriptions/b/${pages}`)
      })
      const table = yield* list({ origin }, ["a", "b"])
      expect([table.code, table.data.length, pages]).toEqual([1, 2, 1_001])
      expect(table.notes[0]).toMatch(/^vigil: b: The list continues after 0 entries on 1000 pages/)
      expect((yield* list({ origin }, ["a", "b"], "-o", "jsonl")).code).toBe(0)
    }),
  )

  it.live("have the latest update first in a table", () =>
    Effect.gen(function* () {
      const at = (name: string, hour: number) => ({
        name,
        properties: { lastUpdateTime: `2026-03-10T1${hour}:00:00Z` },
      })
      const server = yield* service({ a: [at("A", 3), at("C", 1)], b: [at("B", 2)] })
      const { data } = yield* list(server, ["a", "b"], "--columns", "event")
      expect(data).toEqual(["EVENT", "A", "B", "C"])
    }),
  )

  it.live.each([
    ["in a file", "--subscriptions-file -"],
    ["in flags", "-s a -s b -s c -s d -s e"],
  ] as const)("%s that fail are noted and counted, and the exit code is 1", ([, flags]) =>
    Effect.gen(function* () {
      const server = yield* service({ a: [{ name: "A" }], b: 404, c: 403, d: 404, e: 400 })
      const line = `events list --base-url ${server.origin} -o jsonl ${flags}`
      const ended = yield* run(line, { input: ["a", "b", "c", "d", "e"] })
      expect([ended.code, parseLines(ended)]).toEqual([1, [{ subscription: "a", event: { name: "A" } }]])
      expect(ended.notes.map((note) => /^vigil: ([b-e]): .* (\d{3})\./.exec(note)?.slice(1).join()).toSorted()).toEqual(
        ["b,404", "c,403", "d,404", "e,400", undefined, undefined],
      )
      expect(ended.notes.slice(-2)).toEqual([
        "1 event of a on 1 page, updated in the last 3d",
        expect.stringMatching(/^vigil: 4 of 5 /),
      ])
    }),
  )

  it.live("print no data if none can be listed", () =>
    Effect.gen(function* () {
      const server = yield* service({ a: 404, b: 403 })
      for (const args of [
        ["-o", "json"],
        ["-o", "csv"],
      ])
        expect(yield* list(server, ["a", "b"], ...args)).toMatchObject({ code: 1, data: [] })
    }),
  )

  it.live("end at one that fails with a checkpoint file, and the next run resumes there", () =>
    Effect.gen(function* () {
      const responses: Record<string, ReadonlyArray<unknown> | number> = { a: [{ name: "A" }], b: 404, c: [] }
      const server = yield* service(responses)
      const flags = ["-o", "jsonl", "--checkpoint-file", join(yield* folder, "place")]
      const first = yield* list(server, ["a", "b", "c"], ...flags)
      expect([first.code, parseLines(first)]).toEqual([1, [{ subscription: "a", event: { name: "A" } }]])
      expect(first.notes[1]).toContain("The position is saved in")
      expect(yield* server.requests).toHaveLength(2)
      responses["b"] = [{ name: "B" }]
      const second = yield* list(server, ["a", "b", "c"], ...flags)
      expect([second.code, parseLines(second)]).toEqual([0, [{ subscription: "b", event: { name: "B" } }]])
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
        expect([code, notes]).toEqual([0, ["0 events of 2 subscriptions on 2 pages, updated in the last 3d"]])
    }),
  )

  it.live("is rejected with the number of an invalid line", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "ids")
      writeFileSync(file, "a\n\nx/\u001b[31my\n")
      const { code, data, notes } = yield* run(["events", "list", "--sandbox", "--subscriptions-file", file])
      expect([code, data]).toEqual([2, []])
      expect(notes).toEqual([
        `vigil: Line 3 of ${JSON.stringify(file)} is not a subscription ID: "x/\\u001b[31my". Write one ID or name per line.`,
      ])
    }),
  )
})

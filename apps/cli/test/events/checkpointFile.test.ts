import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { OutputError } from "../../src/output/Output.js"
import { folder } from "../support/folder.js"
import { run } from "../support/run.js"
import { serveSubscriptions } from "../support/service.js"

const event = (name: string) => ({ id: `/events/${name}`, name })

const names = (data: ReadonlyArray<string>) =>
  data.map((line): unknown => {
    const entry = JSON.parse(line) as { readonly name: string; readonly event?: { readonly name: string } }
    return entry.event?.name ?? entry.name
  })

/** Pages with these names, each linked to the next; the page of an index in `broken` fails. */
const paged = (pages: ReadonlyArray<ReadonlyArray<string>>, broken: Set<number>) =>
  serveSubscriptions(({ target }) => {
    const page = Number(new URL(target, "http://x").searchParams.get("page") ?? 0)
    if (broken.has(page)) return Reply.json({ code: "Down", message: "Down." }, { status: 501 })
    const next = page + 1 < pages.length ? `?api-version=2025-05-01&page=${page + 1}` : null
    return Reply.page((pages[page] ?? []).map(event), next)
  })

const abc = [["A", "A2"], ["B"], ["C", "C2"]]

describe("--checkpoint-file", () => {
  it.live.each([["jsonl"], ["csv"], ["table"]] as const)(
    "resumes after the last page that was printed as %s",
    ([format]) =>
      Effect.gen(function* () {
        const file = join(yield* folder, "place")
        const broken = new Set([2])
        const { origin } = yield* paged(abc, broken)
        const line = `events list -s x --base-url ${origin} -o ${format} --checkpoint-file ${file}`
        const first = yield* run(line)
        expect(first).toMatchObject({
          code: 6,
          notes: [expect.stringContaining("The position is saved in"), expect.stringContaining("Down.")],
        })
        expect(yield* run(line)).toMatchObject({ code: 6, data: [] })
        broken.clear()
        const second = yield* run(line)
        expect(second.code).toBe(0)
        expect(second.notes).toEqual([expect.stringContaining("Resuming after page 2"), "2 events of x on 1 page"])
        expect(existsSync(file)).toBe(false)
        const all = yield* run(`events list -s x --base-url ${origin} -o ${format}`)
        // Tables are printed per page, with headings.
        const rows = (data: ReadonlyArray<string>) => data.filter((text) => !/^EVENT|^$/.test(text))
        expect(rows([...first.data, ...second.data])).toEqual(rows(all.data))
      }),
  )

  it.live("prints complete pages up to the limit, and the rest in the next runs", () =>
    Effect.gen(function* () {
      const home = yield* folder
      const file = join(home, "place")
      const { origin } = yield* paged(abc, new Set())
      const line = `events list -s x --base-url ${origin} -o jsonl --limit 1 --checkpoint-file ${file}`
      const first = yield* run(line)
      // A link may contain a secret.
      expect([readdirSync(home), statSync(file).mode & 0o777]).toEqual([["place"], 0o600])
      const runs = [first, yield* run(line), yield* run(line)]
      expect(runs.map(({ data }) => names(data))).toEqual([["A", "A2"], ["B"], ["C", "C2"]])
      expect(runs.map(({ notes }) => notes.length)).toEqual([2, 3, 2])
      expect(existsSync(file)).toBe(false)
    }),
  )

  it.live.each([
    ["the pipe is closed", "EPIPE", 141, ["A", "A2", "B", "C", "C2"]],
    // The output file contains the earlier pages.
    ["the disk is full", "ENOSPC", 74, ["B", "C", "C2"]],
  ] as const)("repeats the previous page only if %s at a page", ([, code, exitCode, rest]) =>
    Effect.gen(function* () {
      const file = join(yield* folder, "place")
      const { origin } = yield* paged(abc, new Set())
      const line = `events list -s x --base-url ${origin} -o jsonl --checkpoint-file ${file}`
      const gone = yield* run(line, {
        watch: (lines) => (lines.join("").includes("B") ? new OutputError({ code }) : Effect.void),
      })
      expect(gone.code).toBe(exitCode)
      const second = yield* run(line)
      expect(names(second.data)).toEqual(rest)
    }),
  )

  it.live.each(["text", `{"vigil":"events list","done":[],"printed":0}`, " ".repeat(1_000_001)])(
    "rejects an invalid file without changing it",
    (content) =>
      Effect.gen(function* () {
        const file = join(yield* folder, "place")
        writeFileSync(file, content)
        const refused = yield* run(`events list --sandbox -o jsonl --checkpoint-file ${file}`)
        expect(refused).toMatchObject({ code: 2, data: [], notes: [expect.stringContaining("is not a checkpoint of")] })
        expect(readFileSync(file, "utf8")).toBe(content)
      }),
  )

  it.live.each([
    ["-s y", "id"],
    ["-s x --since 3d", "queryStartTime"],
  ] as const)("rejects the checkpoint of another list, with %s", ([flags, differing]) =>
    Effect.gen(function* () {
      const file = join(yield* folder, "place")
      const server = yield* paged(abc, new Set([1]))
      const line = `events list -o jsonl --checkpoint-file ${file}`
      yield* run(`${line} -s x --base-url ${server.origin}`)
      const before = yield* server.requests
      const refused = yield* run(`${line} --base-url ${server.origin} ${flags}`)
      expect(refused).toMatchObject({ code: 2, data: [] })
      expect(refused.notes.at(-1)).toContain(`belongs to another list: its ${differing} is `)
      expect(yield* server.requests).toEqual(before)
      expect(existsSync(file)).toBe(true)
    }),
  )

  it.live("resumes in its subscription first, then reads the remaining ones", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "place")
      // As if another program had created it.
      writeFileSync(file, "")
      const server = yield* paged(abc, new Set())
      const line = `events list --base-url ${server.origin} -o jsonl --checkpoint-file ${file}`
      const first = yield* run(`${line} -s x -s y --limit 6`)
      expect(names(first.data)).toEqual(["A", "A2", "B", "C", "C2", "A", "A2"])
      const before = (yield* server.requests).length
      const second = yield* run(`${line} -s a -s x -s y`)
      expect(names(second.data)).toEqual(["B", "C", "C2", "A", "A2", "B", "C", "C2"])
      const requests = (yield* server.requests).slice(before)
      expect(requests.map(({ target }) => target.split("/")[2])).toEqual([..."yyaaa"])
      expect(existsSync(file)).toBe(false)
    }),
  )

  it.live("explains how to resume in a sandbox", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "place")
      const line = `events list --sandbox --since 30d --limit 1 -o csv --checkpoint-file ${file}`
      yield* run(line)
      const refused = yield* run(line)
      expect(refused).toMatchObject({ code: 2, data: [] })
      expect(refused.notes).toEqual([expect.stringContaining("run vigil sandbox")])
    }),
  )
})

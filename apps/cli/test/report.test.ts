import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { folder } from "./folder.js"
import { examplesOf } from "./commands.js"
import { run } from "./run.js"
import { service } from "./service.js"

const [first, second] = World.make({ now: 0 }).subscriptions

const report = (file: string, ...args: ReadonlyArray<string>) => run(["events", "report", "--out", file, ...args])

const text = (path: string) => readFileSync(path, "utf8")

describe("events report", () => {
  it.scopedLive("writes one file with the events of thirty days, and nothing on stdout", () =>
    Effect.gen(function* () {
      const inside = yield* folder
      const file = join(inside, "report.html")
      const { code, data, notes } = yield* report(file, "--sandbox")
      expect({ code, data }).toEqual({ code: 0, data: [] })
      const [, count] = /^Wrote ".*report\.html": (\d+) events$/.exec(notes[0] ?? "") ?? []
      expect(text(file)).toContain(`UTC, ${count} events`)
      expect(text(file)).toContain(`Subscription ${first.id}`)
      expect(readdirSync(inside)).toEqual(["report.html"])
    }),
  )

  it.scopedLive("covers the time of --since", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "report.html")
      const count = (notes: ReadonlyArray<string>) => Number(/(\d+) events$/.exec(notes[0] ?? "")?.[1])
      const month = yield* report(file, "--sandbox")
      const hours = yield* report(file, "--sandbox", "--since", "12h")
      expect(count(hours.notes)).toBeGreaterThan(0)
      expect(count(hours.notes)).toBeLessThan(count(month.notes))
    }),
  )

  it.scopedLive("merges the events of several subscriptions, and removes duplicates", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "report.html")
      const both = yield* report(file, "--sandbox", "-s", first.id, "-s", second.id)
      expect(both.code).toBe(0)
      expect(text(file)).toContain(`Subscriptions ${first.id}, ${second.id}`)
      const names = [...text(file).matchAll(/<dt>Tracking ID<\/dt>\s*<dd><code>([^<]*)/g)].map(([, name]) => name)
      expect(names.length).toBeGreaterThan(100)
      expect(new Set(names).size).toBe(names.length)
      const url = yield* service({ body: `{"value":[{"id":"A"},{"id":"A"},{"name":"x"},{"name":"x"}]}` })
      expect((yield* report(file, "-s", "x", "--base-url", url)).notes[0]).toContain("2 events")
      expect((yield* report(file, "-s", "x", "-s", "y", "--base-url", url)).notes[0]).toContain("2 events")
    }),
  )

  it.scopedLive("reports on a resource", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "report.html")
      const [resource] = World.make({ now: 0 }).resources
      expect((yield* report(file, "--sandbox", "--resource", resource?.uri ?? "")).code).toBe(0)
      expect(text(file)).toContain(`Resource ${resource?.uri}`)
    }),
  )

  it.scopedLive("replaces an earlier report, and another file only with --force", () =>
    Effect.gen(function* () {
      const inside = yield* folder
      const [file, link] = [join(inside, "page.html"), join(inside, "link.html")]
      writeFileSync(file, "<!doctype html>mine")
      symlinkSync(file, link)
      const refused = yield* report(link, "--sandbox")
      expect(refused).toMatchObject({
        code: 2,
        notes: [expect.stringMatching(/exists and is not a report of vigil\. .*--force to overwrite it\.$/)],
      })
      expect(text(file)).toBe("<!doctype html>mine")
      expect((yield* report(link, "--sandbox", "--force")).code).toBe(0)
      expect((yield* report(link, "--sandbox")).code).toBe(0)
      expect(text(file)).toContain("A report of vigil")
      expect(readdirSync(inside, { withFileTypes: true }).filter((one) => one.isSymbolicLink())).toHaveLength(1)
    }),
  )

  it.scopedLive("never replaces a path that is not a regular file", () =>
    Effect.gen(function* () {
      for (const path of [yield* folder, "/dev/null"])
        expect(yield* report(path, "--sandbox", "--force")).toMatchObject({
          code: 2,
          notes: [expect.stringContaining("is not a regular file. Pass a file such as report.html.")],
        })
      expect((yield* report("", "--sandbox", "--force")).notes).toEqual([
        expect.stringContaining("--out has no value: pass --out <file>."),
      ])
    }),
  )

  it.scopedLive("names a file that could not be written", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "missing", "report.html")
      const failed = yield* report(file, "--sandbox")
      expect(failed).toMatchObject({ code: 74, data: [] })
      expect(failed.notes).toEqual([expect.stringMatching(/^vigil: The file ".*" could not be written \(ENOENT\)\./)])
    }),
  )

  it.scopedLive("writes nothing if the list fails", () =>
    Effect.gen(function* () {
      const inside = yield* folder
      const url = yield* service({ body: `{"value":[{"name":"A"}],"nextLink":"?p=2"}` }, { status: 502, body: "" })
      expect((yield* report(join(inside, "report.html"), "-s", "x", "--base-url", url)).code).toBe(6)
      expect(readdirSync(inside)).toEqual([])
    }),
  )

  it.scopedLive("leaves out invalid entries, and notes them", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "report.html")
      const url = yield* service({ body: `{"value":[{"name":"A"}, 42]}` })
      const { notes } = yield* report(file, "-s", "x", "--base-url", url)
      expect(notes).toEqual([
        expect.stringContaining("entry 1 of a page is not an event"),
        expect.stringContaining("1 event"),
      ])
    }),
  )

  it.scopedLive("runs the examples of its help", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "report.html")
      for (const line of examplesOf("vigil events report"))
        expect((yield* run(line.replace("report.html", file).split(" ").slice(1))).code).toBe(0)
    }),
  )

  it.live.each([
    ["--sandbox", 2, "--out"],
    ["--sandbox --out x.html --since 2999-01-01", 2, `--since "2999-01-01" is not in the past: pass an earlier time.`],
    ["--sandbox --out x.html --since soon", 2, `--since "soon" is invalid`],
    ["--sandbox --out x.html -r /subscriptions/x -s y", 2, "are mutually exclusive"],
    ["--sandbox --out x.html -r /subscriptions/x --since 3d", 2, "are mutually exclusive"],
  ] as const)("with %s exits with %i", ([line, exitCode, words]) =>
    Effect.gen(function* () {
      const { code, notes } = yield* run(`events report ${line}`)
      expect(code).toBe(exitCode)
      expect(notes).toEqual([expect.stringContaining(words)])
    }),
  )
})

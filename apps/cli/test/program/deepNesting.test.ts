/** JSON that is nested too deeply to print in a format. */
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { folder } from "../support/folder.js"
import { run } from "../support/run.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

const depth = 20_000

const nested = "[".repeat(depth) + "]".repeat(depth)

const plain = (name: string) =>
  `{"id":"/events/${name}","name":"AB12-${name}","properties":{"title":"${name}","lastUpdateTime":"2026-03-10T12:00:00Z"}}`

const deep = `{"id":"/events/D","name":"AB12-CDD","properties":{"title":"Deep","lastUpdateTime":"2026-03-10T12:00:00Z","unknown":${nested},"links":[{"parameters":${nested}}]}}`

const serveBody = (body: string) =>
  Effect.gen(function* () {
    const { origin } = yield* Faults.serve(() =>
      Reply.text(body, { status: 200, headers: { "content-type": "application/json" } }),
    )
    vi.stubEnv("HEALTH_BASE_URL", origin)
    vi.stubEnv("APPMGMT_BASE_URL", origin)
    vi.stubEnv("APPMGMT_API_TOKEN", "token")
  })

const page = (...entries: ReadonlyArray<string>) => `{"value":[${entries.join(",")}]}`

describe("an event that is nested too deeply", () => {
  it.live.each(["json", "jsonl"] as const)("fails a list and an event as %s", (format) =>
    Effect.gen(function* () {
      yield* serveBody(page(plain("A"), deep))
      const input = ["x"]
      for (const line of ["events list -s x", "events list --subscriptions-file -", "events show AB12-CDD -s x"])
        expect(yield* run(`${line} -o ${format}`, { input })).toMatchObject({
          code: 7,
          notes: [expect.stringContaining("nested too deeply")],
        })
    }),
  )

  it.live("is printed without its nested values in other formats", () =>
    Effect.gen(function* () {
      yield* serveBody(page(deep, plain("A")))
      const shown = yield* run("events show AB12-CDD -s x", { width: 80 })
      expect(shown.code).toBe(0)
      expect(shown.data.join("\n")).toContain("(nested too deeply to print)")
      for (const line of ["events list -s x", "events list -s x -o csv", "events timeline -s x --since 2026-02-01"])
        expect((yield* run(line)).code).toBe(0)
      const file = join(yield* folder, "report.html")
      expect((yield* run(["events", "report", "-s", "x", "--since", "2026-02-01", "--out", file])).code).toBe(0)
    }),
  )

  it.live("fails a watch with the same advice with and without a state file", () =>
    Effect.gen(function* () {
      yield* serveBody(page(deep))
      const watch = ["events", "watch", "-s", "x", "--once", "--since", "2026-02-01"]
      const without = yield* run(watch)
      const file = join(yield* folder, "state.json")
      expect(without).toMatchObject({
        code: 2,
        notes: [expect.stringContaining("Pass a filter that excludes the event")],
      })
      expect(yield* run([...watch, "--state-file", file])).toEqual(without)
    }),
  )
})

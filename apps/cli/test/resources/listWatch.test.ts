import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { folder } from "../support/folder.js"
import { run } from "../support/run.js"
import { service, subscriptionService } from "../support/service.js"
import { idOf, status } from "../support/statuses.js"
import { start } from "../support/watchRun.js"

/** The initial time of the test clock. */
const now = Date.UTC(2026, 2, 10, 12)

const page = (...value: ReadonlyArray<unknown>) => ({ body: JSON.stringify({ value }) })

const words = ["resources", "list", "--watch", "-s", "x", "--base-url"]

const watching = (url: string, ...flags: ReadonlyArray<string>) => [...words, url, ...flags]

describe("resources list --watch", () => {
  it.effect("prints the changes since the last run with a state file", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const file = join(yield* folder, "state")
      const url = yield* service(
        page(status("web", "Available"), status("db", "Degraded")),
        page(status("web", "Unavailable"), status("db", "Available")),
        page(status("WEB", "Unavailable")),
      )
      const flags = ["--once", "--state-file", file]
      const result = Effect.map(run(watching(url, ...flags)), ({ code, data, notes }) => [code, ...data, ...notes])
      expect(yield* result).toEqual([
        0,
        "2026-03-10 11:00  Appeared     web           Available (Vendor.Sql/servers, shop)",
        "2026-03-10 11:00  Appeared     db            Degraded (Unplanned, Vendor.Sql/servers, shop): Summary of db.",
      ])
      expect(yield* result).toEqual([
        0,
        "2026-03-10 11:00  Changed      web           Available → Unavailable (Unplanned, Vendor.Sql/servers, shop): Summary of web.",
        "2026-03-10 11:00  Recovered    db            Degraded → Available (Vendor.Sql/servers, shop)",
      ])
      // One list may lack an entry.
      expect(yield* result).toEqual([0])
      expect(yield* result).toEqual([
        0,
        "2026-03-10 12:00  Disappeared  db            no longer listed, was Available (Vendor.Sql/servers, shop)",
      ])
      expect(yield* result).toEqual([0])
    }),
  )

  it.effect("selects what matches before or after the change, and prints JSON lines", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const file = join(yield* folder, "state")
      const recovered = status("web", "Available")
      const url = yield* service(
        page(status("web", "Unavailable"), status("db", "Degraded")),
        page(recovered, status("db", "Unknown")),
      )
      const flags = ["--once", "--state-file", file, "--state", "Unavailable", "-o", "jsonl"]
      const result = Effect.map(run(watching(url, ...flags)), ({ data }) =>
        data.map((line): unknown => JSON.parse(line)),
      )
      expect(yield* result).toMatchObject([{ change: "Appeared", state: "Unavailable" }])
      const at = "2026-03-10T12:00:00.000Z"
      expect(yield* result).toEqual([
        { at, change: "Recovered", id: idOf("web"), before: "Unavailable", state: "Available", status: recovered },
      ])
    }),
  )

  it.effect("notes failed polls and invalid entries, and compares complete lists only", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const all = page(status("web", "Available"), status("db", "Available"))
      const half = { body: JSON.stringify({ value: [status("web", "Available")], nextLink: "ftp://x" }) }
      const url = yield* service(all, half, half, page(7, status("web", "Unavailable"), status("db", "Available")))
      const watch = yield* start(watching(url, "--every", "90s"))
      yield* watch.line
      yield* watch.line
      for (const _ of [1, 2]) {
        yield* watch.idle
        yield* watch.pass("90 seconds")
        expect(yield* watch.note).toContain("A poll failed, the next one is in 1m 30s.")
      }
      yield* watch.idle
      yield* watch.pass("90 seconds")
      expect(yield* watch.note).toContain("entry 0 of page 1 is not a status")
      expect(yield* watch.line).toContain("Available → Unavailable")
      expect(yield* watch.note).toBe("vigil: Polling recovered after 2 failed polls.")
      yield* watch.stop
    }),
  )

  it.effect("prints no change that it cannot store, and prints it once when it can", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const inner = join(yield* folder, "inner")
      mkdirSync(inner)
      const file = join(inner, "state")
      const url = yield* service(page(status("web", "Available")), page(status("web", "Unavailable")))
      const watch = yield* start(watching(url, "--every", "90s", "--state-file", file))
      yield* watch.line
      yield* watch.idle
      rmSync(inner, { recursive: true })
      yield* watch.pass("90 seconds")
      expect(yield* watch.note).toContain("could not be written (ENOENT)")
      mkdirSync(inner)
      yield* watch.idle
      yield* watch.pass("90 seconds")
      expect(yield* watch.line).toContain("Available → Unavailable")
      expect(yield* watch.note).toBe("vigil: Polling recovered after 1 failed poll.")
      expect(readFileSync(`${file}~resources`, "utf8")).toContain(`"state":"Unavailable"`)
      yield* watch.stop
    }),
  )

  it.effect("continues with what release 0.2 stored, also with what its server stored", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const url = yield* service(page(status("web", "Unavailable")))
      const state = { isNew: false, resources: [{ id: idOf("web"), state: "Available" }] }
      const own = join(path, "own")
      writeFileSync(own, JSON.stringify({ vigil: "resources list", subscription: "x", state }))
      const ofServer = join(path, "server")
      writeFileSync(`${ofServer}~resources`, JSON.stringify({ subscription: "x", state }))
      // The state of the events is another one.
      writeFileSync(ofServer, "events")
      for (const file of [own, ofServer]) {
        const { code, data } = yield* run(watching(url, "--once", "--state-file", file))
        expect([code, data]).toEqual([0, [expect.stringContaining("Available → Unavailable")]])
        expect((yield* run(watching(url, "--once", "--state-file", file))).data).toEqual([])
      }
      expect(readdirSync(path).toSorted()).toEqual(["own~resources", "server", "server~resources"])
    }),
  )

  it.live("refuses the state file of another subscription, and keeps one per subscription", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "state")
      const { origin } = yield* subscriptionService({ x: [status("web", "Available")], y: 403 })
      const line = ["resources", "list", "--watch", "--once", "--base-url", origin, "--state-file"]
      const both = yield* run([...line, file, "-s", "x", "-s", "y"])
      expect(both).toMatchObject({ code: 1, data: [expect.stringContaining("[x]")] })
      const before = readFileSync(`${file}.x~resources`, "utf8")
      expect(existsSync(`${file}.y~resources`)).toBe(true)
      expect(yield* run([...line, `${file}.x`, "-s", "y"])).toMatchObject({ code: 2, data: [] })
      expect(readFileSync(`${file}.x~resources`, "utf8")).toBe(before)
    }),
  )
})

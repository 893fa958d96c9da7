import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, vi } from "vitest"
import { folder } from "../support/folder.js"
import { ofOtherVersion } from "../support/otherVersion.js"
import { run } from "../support/run.js"
import { serveSubscriptions, service, subscriptionService } from "../support/service.js"
import { start, startWatch } from "../support/watchRun.js"

afterEach(() => vi.restoreAllMocks())

/** The initial time of the test clock. */
const now = Date.UTC(2026, 2, 10, 12)

/** An event of the list, updated one hour before `now`. */
const event = (name: string, properties: object = {}) => ({
  id: `/events/${name}`,
  name,
  properties: { title: `title of ${name}`, status: "Active", lastUpdateTime: "2026-03-10T11:00:00Z", ...properties },
})

const page = (...value: ReadonlyArray<unknown>) => ({ body: JSON.stringify({ value }) })

const denied = { status: 403, body: "{}" }

const once = (url: string, ...args: ReadonlyArray<string>) =>
  run(["events", "watch", "--once", "-s", "x", "--base-url", url, ...args])

describe("events watch", () => {
  it.effect("prints the changes since the last run with a state file", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const file = join(yield* folder, "state")
      const resolved = { status: "Resolved", lastUpdateTime: "2026-03-10T11:30:00Z" }
      const url = yield* service(
        page(event("A"), event("B")),
        page(event("A", resolved), event("B", { priority: 1 })),
        page(event("A", { lastUpdateTime: "2026-03-10T11:45:00Z" })),
      )
      const result = Effect.map(once(url, "--state-file", file), ({ code, data, notes }) => [code, ...data, ...notes])
      expect(yield* result).toEqual([
        0,
        "2026-03-10 11:00  Appeared     A         title of A (Active)",
        "2026-03-10 11:00  Appeared     B         title of B (Active)",
      ])
      expect(yield* result).toEqual([
        0,
        "2026-03-10 11:00  Updated      B         title of B (priority none → 1)",
        "2026-03-10 11:30  Resolved     A         title of A (status Active → Resolved)",
      ])
      expect(yield* result).toEqual([
        0,
        "2026-03-10 11:45  Reopened     A         title of A (status Resolved → Active)",
        "2026-03-10 12:00  Disappeared  B         title of B (no longer listed)",
      ])
      expect(yield* result).toEqual([0])
    }),
  )

  it.effect(
    "continues the state of one subscription when it watches several, also if their IDs are in another case",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(now)
        const file = join(yield* folder, "state")
        const [a, b] = [[event("A")], [event("B")]]
        const responses: Record<string, ReadonlyArray<unknown>> = { x: a, y: b, X: a, Y: b }
        const { origin } = yield* subscriptionService(responses)
        const line = `events watch --once --base-url ${origin} --state-file ${file}`
        const watch = (flags: string) =>
          Effect.map(run(`${line} ${flags}`), ({ data }) =>
            data.map((one) => /(Appeared|Resolved) +(\w)/.exec(one)?.slice(1).join(" ")).toSorted(),
          )
        expect(yield* watch("-s x")).toEqual(["Appeared A"])
        expect(yield* watch("-s x -s y")).toEqual(["Appeared B"])
        expect(yield* watch("-s X -s Y")).toEqual([])
        const resolved = { status: "Resolved", lastUpdateTime: "2026-03-10T11:30:00Z" }
        Object.assign(responses, { x: [event("A", resolved)], y: [event("B", resolved)] })
        expect(yield* watch("-s x -s y")).toEqual(["Resolved A", "Resolved B"])
        expect(yield* watch("-s x")).toEqual([])
      }),
  )

  it.effect("prints the time, the change, the event and the differences with jsonl", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const file = join(yield* folder, "state")
      const [before, after] = [
        { ...event("A"), extra: { deep: [1e21, "\u202e"] } },
        { ...event("A", { status: "Resolved" }), extra: null },
      ]
      const url = yield* service(page(before), page(after))
      const result = Effect.map(once(url, "-o", "jsonl", "--state-file", file), ({ data }) => data.join("\n"))
      const at = "2026-03-10T12:00:00.000Z"
      const appeared = yield* result
      expect(appeared).toMatch(/^[\x20-\x7e]*$/)
      expect(JSON.parse(appeared)).toEqual({ at, change: "Appeared", event: before })
      expect(JSON.parse(yield* result)).toMatchObject({
        at,
        change: "Resolved",
        event: after,
        changes: { fields: [{ path: "extra", before: before.extra, after: null }, { path: "properties.status" }] },
      })
    }),
  )

  it.effect("polls again after --every, also after the clock is set back, and prints the differences", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const clock = yield* Clock.Clock
      let offset = 0
      const millis = () => clock.currentTimeMillisUnsafe() - offset
      const stepped = { ...clock, currentTimeMillisUnsafe: millis, currentTimeMillis: Effect.sync(millis) }
      const url = yield* service(page(event("A")), page(event("A"), event("B")), page(event("B")))
      const starting = startWatch("-s", "x", "--base-url", url, "--every", "90s")
      const watch = yield* Effect.provideService(starting, Clock.Clock, stepped)
      expect(yield* watch.line).toContain("Appeared     A")
      expect(yield* watch.idle).toBe("Next poll at 12:01:30 UTC")
      yield* watch.pass("90 seconds")
      expect(yield* watch.line).toContain("Appeared     B")
      expect(yield* watch.idle).toBe("Next poll at 12:03:00 UTC")
      offset = 3_600_000
      yield* watch.pass("90 seconds")
      expect(yield* watch.line).toBe("2026-03-10 11:03  Disappeared  A         title of A (no longer listed)")
      expect(yield* watch.idle).toBe("Next poll at 11:04:30 UTC")
      yield* watch.stop
    }),
  )

  it.effect.each([
    ["events", "watch"],
    ["resources", "list", "--watch"],
  ] as const)("says once what it watches, if there are several subscriptions: %s", (command) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { origin } = yield* subscriptionService({ x: [], y: [] })
      const watch = yield* start([...command, "-s", "x", "-s", "y", "--base-url", origin])
      expect(yield* watch.note).toBe("Watching 2 subscriptions")
      yield* watch.stop
    }),
  )

  it.effect("notes failed polls and the first one that succeeds, and continues", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const broken = { body: "<html>" }
      const url = yield* service(broken, broken, page(event("A"), 42, { properties: 7 }), page(event("A"), 42), denied)
      const watch = yield* startWatch("-s", "x", "--base-url", url)
      for (const _ of [1, 2]) {
        expect(yield* watch.note).toMatch(/^vigil: A poll failed, the next one is in 5m\. .* an invalid response/)
        yield* watch.idle
        yield* watch.pass("5 minutes")
      }
      expect(yield* watch.line).toContain("Appeared     A")
      expect(yield* watch.note).toContain("must be an object")
      expect(yield* watch.note).toContain("properties must be")
      expect(yield* watch.note).toBe("vigil: Polling recovered after 2 failed polls.")
      yield* watch.idle
      yield* watch.pass("5 minutes")
      yield* watch.idle
      yield* watch.pass("5 minutes")
      expect(yield* watch.note).toMatch(/^vigil: A poll failed, .*403/)
      yield* watch.idle
      yield* watch.stop
    }),
  )

  it.effect("ends if the service rejects the first poll", () =>
    Effect.gen(function* () {
      const url = yield* service(denied)
      const watch = yield* startWatch("-s", "x", "--base-url", url)
      expect(yield* watch.note).toContain("403")
      expect(yield* Fiber.join(watch.fiber)).toBe(4)
    }),
  )
})

describe("the state file", () => {
  it.live("is rejected, and not changed, if it is not a state of this list or can't be used", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const [state, other, notes] = [join(path, "state"), join(path, "other"), join(path, "notes \u001b[31m")]
      writeFileSync(other, `{"watch":2}`)
      writeFileSync(notes, "# notes")
      const url = yield* service(page())
      expect((yield* once(url, "--state-file", state)).code).toBe(0)
      const before = readFileSync(state, "utf8")
      for (const [file, code, words, ...flags] of [
        [other, 2, "is not a state file"],
        [notes, 2, "is not a state file"],
        [state, 2, "belongs to another", "--filter", "a"],
        [path, 74, "could not be read (not a regular file)"],
        [join(path, "nowhere", "state"), 74, "could not be written (ENOENT)"],
      ] as const) {
        const ended = yield* once(url, "--state-file", file, ...flags)
        expect(ended).toMatchObject({ code, data: [], notes: [expect.stringContaining(words)] })
        expect(ended.notes[0]).not.toContain("\u001b")
      }
      const texts = [state, other, notes].map((file) => readFileSync(file, "utf8"))
      expect(texts).toEqual([before, `{"watch":2}`, "# notes"])
    }),
  )

  it.effect("continues with another API version, and prints only what has changed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const state = join(yield* folder, "state")
      const url = yield* service(page(event("A"), event("B")), page({ ...event("A"), more: 1 }), page(event("A")))
      yield* once(url, "--state-file", state)
      ofOtherVersion(state)
      const next = yield* once(url, "--state-file", state)
      expect(next).toMatchObject({ code: 0, data: [expect.stringContaining("Disappeared  B")], notes: [] })
      ofOtherVersion(state)
      expect(yield* once(url, "--state-file", state)).toMatchObject({ code: 0, data: [] })
    }),
  )

  it.live("of another user is rejected, because its events would count as seen", () =>
    Effect.gen(function* () {
      const state = join(yield* folder, "state")
      const url = yield* service(page())
      expect((yield* once(url, "--state-file", state)).code).toBe(0)
      // A file of root is accepted.
      if (statSync(state).uid === 0) chownSync(state, 1234, 1234)
      vi.spyOn(process, "getuid").mockReturnValue(statSync(state).uid + 1)
      const words = "could not be read (it belongs to another user)"
      expect(yield* once(url, "--state-file", state)).toMatchObject({
        code: 74,
        data: [],
        notes: [expect.stringContaining(words)],
      })
    }),
  )

  it.effect("that can't be written on exit is noted", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const path = yield* folder
      const inner = join(path, "inner")
      mkdirSync(inner)
      const url = yield* service(page(event("A"), event("B"), event("C")))
      const watch = yield* startWatch("-s", "x", "--base-url", url, "--state-file", join(inner, "state"))
      yield* watch.line
      yield* watch.line
      expect(yield* watch.pendingLine).toContain("Appeared     C")
      rmSync(inner, { recursive: true })
      yield* watch.stop
      expect(yield* watch.note).toMatch(
        /could not be written \(ENOENT\)\. .* The next run repeats the last changes of this run\.$/,
      )
    }),
  )
})

describe("events watch of several subscriptions", () => {
  const served = Effect.gen(function* () {
    const server = yield* serveSubscriptions(({ target }) => {
      const [, id] = /^\/subscriptions\/(\w+)\//.exec(target) ?? []
      return id === "denied" ? Reply.json({ code: "No" }, { status: 403 }) : Reply.page([event(`E-${id}`)])
    })
    return server.origin
  })

  it.effect("names the subscription of each change, and keeps one state file per subscription", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const folderPath = yield* folder
      const file = join(folderPath, "state")
      const url = yield* served
      const line = ["events", "watch", "--once", "--base-url", url, "-s", "one", "-s", "two", "--state-file", file]
      const { code, data } = yield* run(line)
      expect(code).toBe(0)
      expect(data.toSorted()).toEqual([
        "2026-03-10 11:00  Appeared     E-one     title of E-one (Active) [one]",
        "2026-03-10 11:00  Appeared     E-two     title of E-two (Active) [two]",
      ])
      expect(readdirSync(folderPath).toSorted()).toEqual(["state.one", "state.two"])
      expect((yield* run(line)).data).toEqual([])
    }),
  )

  it.effect("reads the subscriptions from a file, and notes failed ones without stopping the others", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const file = join(yield* folder, "ids")
      writeFileSync(file, "one\ndenied # no rights\n")
      const url = yield* served
      const line = ["events", "watch", "--once", "--base-url", url, "--subscriptions-file", file, "-o", "jsonl"]
      const { code, data, notes } = yield* run(line)
      expect(code).toBe(1)
      expect(data.map((text): unknown => JSON.parse(text))).toMatchObject([{ subscription: "one", change: "Appeared" }])
      expect(notes.join("\n")).toMatch(/^vigil: denied: .*403[^]*1 of 2 subscriptions could not be watched/m)
      const both = yield* run([...line, "-s", "one"])
      expect(both.notes.at(-1)).toContain("--subscription and --subscriptions-file are mutually exclusive")
    }),
  )
})

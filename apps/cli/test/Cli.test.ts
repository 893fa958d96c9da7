import { describe, expect, it } from "@effect/vitest"
import { World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { run, type Run } from "./run.js"
import { service } from "./service.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

const { resources, subscriptions } = World.make({ now: 0 })
const [first, second] = subscriptions

const namesOf = ({ data }: Run) =>
  (JSON.parse(data.join("\n")) as ReadonlyArray<{ name: string }>).map(({ name }) => name)

describe("events list", () => {
  it.live("prints a table of all pages, and their number on stderr", () =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(`events list --sandbox --subscription ${first.id}`)
      expect(code).toBe(0)
      expect(data[0]).toBe("TRACKING ID\tTYPE\tLEVEL\tSTATUS\tTITLE\tSERVICES\tREGIONS\tUPDATED (UTC)")
      expect(data[1]).toMatch(/^\w{4}-\w{3}\t\w+\t\w+\t(Active|Resolved)\t.+\d{4}-\d\d-\d\d \d\d:\d\d$/)
      expect(notes).toHaveLength(1)
      const [, events, pages] = /^(\d+) events on (\d+) pages$/.exec(notes[0] ?? "") ?? []
      expect(data).toHaveLength(Number(events) + 1)
      expect(Number(pages)).toBe(Math.ceil(Number(events) / 50))
      expect(Number(pages)).toBeGreaterThan(1)
    }),
  )

  it.live("uses the sandbox and its first subscription with VIGIL_SANDBOX", () =>
    Effect.gen(function* () {
      vi.stubEnv("VIGIL_SANDBOX", "1")
      const byDefault = namesOf(yield* run("events list -o json"))
      expect(byDefault).toEqual(namesOf(yield* run(`events list -o json -s ${first.id}`)))
      expect(byDefault).not.toEqual(namesOf(yield* run(`events list -o json -s ${second.id}`)))
    }),
  )

  it.live("lists the events of a resource", () =>
    Effect.gen(function* () {
      const { code, notes } = yield* run(`events list --sandbox --resource ${resources[0]?.uri}`)
      expect({ code, notes }).toEqual({ code: 0, notes: [expect.stringMatching(/^\d+ events? on \d+ pages?$/)] })
    }),
  )

  it.live("prints valid and invalid entries without changes with json", () =>
    Effect.gen(function* () {
      const sent = [
        { name: "A", extra: { __proto__: null, deep: [1e21, "ü"] } },
        42,
        { properties: { priority: 99 } },
        { name: "B" },
      ]
      const url = yield* service({ body: JSON.stringify({ value: sent }) })
      const { code, data, notes } = yield* run(`events list -o json -s x --base-url ${url}`)
      expect(JSON.parse(data.join("\n"))).toEqual(JSON.parse(JSON.stringify(sent)))
      expect(code).toBe(0)
      expect(notes).toEqual([
        "vigil: entry 1 of a page is not an event: it must be an object, not a number",
        "vigil: entry 2 of a page is not an event: properties.priority must be a whole number from 0 to 23",
        "2 events on 1 page; 2 invalid entries printed as sent",
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
      expect(data.map((line) => line.trim())).toEqual([expect.stringContaining("TRACKING ID"), "A"])
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
})

describe("apps whoami", () => {
  it.live("prints the profile, and the response with json", () =>
    Effect.gen(function* () {
      const table = yield* run("apps whoami --sandbox")
      expect(table).toMatchObject({ code: 0, notes: [] })
      expect(table.data).toContain("email\tada@vigil.example")
      const json = yield* run("apps whoami --sandbox --output json")
      expect(JSON.parse(json.data.join(""))).toMatchObject({ name: "ada", avatar_url: null })
    }),
  )
})

/** An error is one sentence that names the problem and the next step. */
describe("a failure", () => {
  it.live.each([
    ["events list --sandbox --subscription nope", 5, "'nope'"],
    ["events list --sandbox --subscription a/b", 2, `--subscription "a/b"`],
    ["events list --sandbox --resource a//b", 2, `--resource "a//b"`],
    ["events list --sandbox -s a -r b", 2, "--resource"],
    ["events list --base-url http://127.0.0.1:1 -s x", 6, "ECONNREFUSED"],
    ["events list --base-url https://nowhere.invalid -s x", 6, "https://nowhere.invalid"],
    ["events list --base-url nowhere -s x", 2, "--base-url"],
    ["events list --base-url http://127.0.0.1:1", 2, "HEALTH_SUBSCRIPTION"],
    ["events list --base-url http://127.0.0.1:1 --sandbox", 2, "--sandbox and --base-url"],
    ["events list -s x", 2, "HEALTH_BASE_URL"],
    ["events list --sandbox --api-version 2020-01-01", 2, "2025-05-01"],
    ["apps whoami", 2, "APPMGMT_BASE_URL"],
    ["apps whoami --base-url https://apps.example", 3, "APPMGMT_API_TOKEN"],
  ] as const)("of vigil %s has exit code %i", ([line, exitCode, noun]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(line)
      expect({ code, data }).toEqual({ code: exitCode, data: [] })
      expect(notes).toHaveLength(1)
      expect(notes[0]).toMatch(/^vigil: .*[.?]$/)
      expect(notes[0]).toContain(noun)
      expect(notes[0]).not.toMatch(/\n|\s{4}at |Error:/)
    }),
  )

  it.live("caused by a setting names the setting, not its value", () =>
    Effect.gen(function* () {
      vi.stubEnv("VIGIL_SANDBOX", "banana")
      const { code, notes } = yield* run("events list")
      expect({ code, notes }).toEqual({ code: 2, notes: [expect.stringContaining("VIGIL_SANDBOX")] })
      expect(notes[0]).not.toContain("banana")
    }),
  )

  it.live.each([
    ["1", 0],
    ["true", 0],
    ["YES", 0],
    ["On", 0],
    ["", 2],
    ["0", 2],
    ["False", 2],
    ["no", 2],
    ["OFF", 2],
  ] as const)("is not caused by VIGIL_SANDBOX=%s, which is a boolean", ([value, code]) =>
    Effect.gen(function* () {
      vi.stubEnv("VIGIL_SANDBOX", value)
      const ended = yield* run("events list --limit 1")
      expect(ended.code).toBe(code)
      if (code === 2) expect(ended.notes[0]).toContain("HEALTH_BASE_URL")
    }),
  )

  it.live("caused by a token does not contain it", () =>
    Effect.gen(function* () {
      vi.stubEnv("HEALTH_ACCESS_TOKEN", "canary-44e0")
      vi.stubEnv("HEALTH_BASE_URL", "http://far.example")
      const exposed = yield* run("events list -s x")
      expect(exposed).toMatchObject({ code: 2, data: [], notes: [expect.stringContaining("HTTP")] })
      expect(JSON.stringify(exposed)).not.toContain("canary")
    }),
  )
})

describe("vigil", () => {
  it.live("prints its version with --version", () =>
    Effect.gen(function* () {
      for (const line of ["--version", "--version --no-color"])
        expect((yield* run(line)).data).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)])
    }),
  )
})

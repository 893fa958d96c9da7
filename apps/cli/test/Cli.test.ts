import { describe, expect, it } from "@effect/vitest"
import { World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { run } from "./run.js"
import { service } from "./service.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

const [first, second] = World.make({ now: 0 }).subscriptions

describe("events list", () => {
  it.live("prints a table of all pages, and last how many there were", () =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(`events list --sandbox --subscription ${first.id}`)
      expect([code, notes]).toEqual([0, []])
      expect(data[0]).toMatch(/^TRACKING ID +TYPE +LEVEL +STATUS +TITLE +SERVICES +REGIONS +LAST UPDATE \(UTC\)$/)
      expect(data[1]).toMatch(/^\w{4}-\w{3} +\w+ +\w+ +(Active|Resolved) +.+\d{4}-\d\d-\d\d \d\d:\d\d$/)
      const [, events, pages] = /^(\d+) events on (\d+) pages, 0 invalid$/.exec(data.at(-1) ?? "") ?? []
      expect(data).toHaveLength(Number(events) + 3)
      expect(Number(pages)).toBe(Math.ceil(Number(events) / 50))
      expect(Number(pages)).toBeGreaterThan(1)
    }),
  )

  it.live("takes the sandbox, and its first subscription, from VIGIL_SANDBOX", () =>
    Effect.gen(function* () {
      vi.stubEnv("VIGIL_SANDBOX", "1")
      const byDefault = yield* run("events list -o json")
      const named = yield* run(`events list -o json -s ${first.id}`)
      expect(byDefault.data.length).toBe(named.data.length)
      const other = yield* run(`events list -o json -s ${second.id}`)
      expect(other.data.length).not.toBe(named.data.length)
    }),
  )

  it.live("prints with json what the service sent, event by event, and nothing else on stdout", () =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run("events list --sandbox --output json --api-version 2025-04-01")
      const events = JSON.parse(data.join("\n")) as ReadonlyArray<object>
      expect(code).toBe(0)
      expect(notes).toEqual([expect.stringMatching(new RegExp(`^${events.length} events on \\d+ pages, 0 invalid$`))])
      expect(events[0]).toHaveProperty("systemData")
    }),
  )

  it.live("lists the events of a resource", () =>
    Effect.gen(function* () {
      const [resource] = World.make({ now: 0 }).resources
      const { code, data } = yield* run(`events list --sandbox --resource ${resource?.uri}`)
      expect(code).toBe(0)
      expect(data.at(-1)).toMatch(/^\d+ events? on \d+ pages?, 0 invalid$/)
    }),
  )

  it.scopedLive("loses nothing of what was sent, be it an event or not", () =>
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
        "vigil: entry 1 of a page is no event: it expected HealthEvent, got a number",
        "vigil: entry 2 of a page is no event: properties.priority expected a whole number from 0 to 23, got another number",
        "4 events on 1 page, 2 invalid",
      ])
    }),
  )

  it.scopedLive("closes the array when the list breaks off, and says why", () =>
    Effect.gen(function* () {
      const url = yield* service(
        { body: `{"value":[{"name":"A"}],"nextLink":"?p=2"}` },
        { status: 502, body: "<html>" },
      )
      const { code, data, notes } = yield* run(`events list -o json -s x --base-url ${url}`)
      expect(JSON.parse(data.join("\n"))).toEqual([{ name: "A" }])
      expect(code).toBe(6)
      expect(notes).toEqual([
        expect.stringContaining("the service answered 502. The service is in trouble: try again later"),
      ])
    }),
  )

  it.scopedLive("shows hostile text as text, on its own line", () =>
    Effect.gen(function* () {
      const title =
        "\u001b[31mred\u001b[0m\r\nover\u0008\u202egnp.exe \u001b]8;;http://evil\u0007link\u001b]8;;\u0007 \ud800"
      const url = yield* service({ body: JSON.stringify({ value: [{ name: "A", properties: { title } }] }) })
      const { data } = yield* run(`events list -s x --base-url ${url}`)
      expect(data).toHaveLength(4)
      expect(data[1]).toMatch(/^A +red over gnp\.exe link \ufffd$/)
    }),
  )

  it.live("fits the terminal", () =>
    Effect.gen(function* () {
      const { data } = yield* run("events list --sandbox", 120)
      expect(Math.max(...data.map((line) => line.length))).toBe(120)
      expect(data[1]).toContain("…")
    }),
  )
})

describe("apps whoami", () => {
  it.live("prints the profile, or with json what the service sent", () =>
    Effect.gen(function* () {
      const table = yield* run("apps whoami --sandbox")
      expect(table).toMatchObject({ code: 0, notes: [] })
      expect(table.data).toContain("email                ada@vigil.example")
      const json = yield* run("apps whoami --sandbox --output json")
      expect(JSON.parse(json.data.join(""))).toMatchObject({ name: "ada", avatar_url: null })
    }),
  )
})

/** What goes wrong, in one sentence, with what to do next. */
describe("a failure", () => {
  it.live.each([
    ["events list --sandbox --subscription nope", 4, "The subscription 'nope' could not be found. Check the id"],
    ["events list --sandbox --subscription a/b", 2, `--subscription "a/b" is not valid: give one id without slashes.`],
    ["events list --sandbox --resource a//b", 2, `--resource "a//b" is not valid: give a resource's full id`],
    ["events list --sandbox -s a -r b", 2, "exclude each other: give one of them."],
    [
      "events list --base-url http://127.0.0.1:1 -s x",
      5,
      "the connection was refused (ECONNREFUSED). Check the address",
    ],
    ["events list --base-url https://nowhere.invalid -s x", 5, "no answer from https://nowhere.invalid"],
    [
      "events list --base-url nowhere -s x",
      2,
      "The base address is not a valid address. Give an address such as https://",
    ],
    ["events list --base-url http://127.0.0.1:1", 2, "Whose events? Give --subscription ID or --resource ID."],
    ["events list --base-url http://127.0.0.1:1 --sandbox", 2, "--sandbox and --base-url exclude each other"],
    ["events list -s x", 2, "No service is given: set HEALTH_BASE_URL, or give --base-url, or --sandbox"],
    ["events list --sandbox --nope", 2, "Received unknown argument: '--nope'. Run with --help"],
    ["events list --sandbox --output xml", 2, "Expected one of the following cases: table, json. Run with --help"],
    ["events list --sandbox --api-version 2020-01-01", 2, "2025-05-01, 2025-04-01. Run with --help"],
    ["events lst", 2, `There is no command "vigil events lst". Try vigil events list, or vigil events --help.`],
    ["evnts", 2, `There is no command "vigil evnts". Try vigil apps or vigil events, or vigil --help.`],
    ["apps whoami", 2, "set APPMGMT_BASE_URL"],
    ["apps whoami --base-url https://apps.example", 2, "The API token is missing: set APPMGMT_API_TOKEN."],
  ] as const)("vigil %s exits with %i", ([line, exitCode, words]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(line)
      expect({ code, data }).toEqual({ code: exitCode, data: [] })
      expect(notes).toHaveLength(1)
      expect(notes[0]).toMatch(/^vigil: .*[.?]$/)
      expect(notes[0]).toContain(words)
      expect(notes[0]).not.toMatch(/\n|\s{4}at |Error:/)
    }),
  )

  it.live("to accept the token says so, and never shows it", () =>
    Effect.gen(function* () {
      vi.stubEnv("APPMGMT_API_TOKEN", "canary-44e0")
      vi.stubEnv("HEALTH_ACCESS_TOKEN", "canary-44e0")
      vi.stubEnv("HEALTH_BASE_URL", "http://far.example")
      const exposed = yield* run("events list -s x")
      expect(exposed).toMatchObject({ code: 3, data: [], notes: [expect.stringContaining("plain http")] })
      expect(JSON.stringify(exposed)).not.toContain("canary")
    }),
  )
})

describe("help", () => {
  it.live.each([["--help"], ["events --help"], ["events list --help"]] as const)(
    "%s is plain text on stdout",
    ([line]) =>
      Effect.gen(function* () {
        const { code, data, notes } = yield* run(line)
        expect({ code, notes }).toEqual({ code: 0, notes: [] })
        expect(data.join("\n")).toContain("list")
        expect(data.join("\n")).not.toContain("\u001b")
      }),
  )

  it.live("has the version", () =>
    Effect.gen(function* () {
      expect((yield* run("--version")).data).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)])
    }),
  )
})

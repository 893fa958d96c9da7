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
      const byDefault = yield* run("events list -o json")
      const named = yield* run(`events list -o json -s ${first.id}`)
      expect(byDefault.data.length).toBe(named.data.length)
      const other = yield* run(`events list -o json -s ${second.id}`)
      expect(other.data.length).not.toBe(named.data.length)
    }),
  )

  it.live("prints the events of the response with json, and nothing else on stdout", () =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run("events list --sandbox --output json --api-version 2025-04-01")
      const events = JSON.parse(data.join("\n")) as ReadonlyArray<object>
      expect(code).toBe(0)
      expect(notes).toEqual([expect.stringMatching(new RegExp(`^${events.length} events on \\d+ pages$`))])
      expect(events[0]).toHaveProperty("systemData")
    }),
  )

  it.live("lists the events of a resource", () =>
    Effect.gen(function* () {
      const [resource] = World.make({ now: 0 }).resources
      const { code, notes } = yield* run(`events list --sandbox --resource ${resource?.uri}`)
      expect(code).toBe(0)
      expect(notes).toEqual([expect.stringMatching(/^\d+ events? on \d+ pages?$/)])
    }),
  )

  it.scopedLive("prints valid and invalid entries without changes", () =>
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

  it.scopedLive("leaves the array open if the list fails, and prints the error on stderr", () =>
    Effect.gen(function* () {
      const url = yield* service(
        { body: `{"value":[{"name":"A"}],"nextLink":"?p=2"}` },
        { status: 502, body: "<html>" },
      )
      const { code, data, notes } = yield* run(`events list -o json -s x --base-url ${url}`)
      expect(data).toEqual(["[", ` {"name":"A"}`])
      expect(code).toBe(6)
      expect(notes).toEqual(["vigil: The health service responded 502. Try again later."])
    }),
  )

  it.live("prints no array if the first request fails", () =>
    Effect.gen(function* () {
      const refused = yield* run("events list -o json -s x --base-url http://127.0.0.1:1")
      expect(refused).toMatchObject({ code: 6, data: [] })
    }),
  )

  it.scopedLive("does not follow a link to another origin, and fails", () =>
    Effect.gen(function* () {
      const url = yield* service({ body: `{"value":[{"name":"A"}],"nextLink":"https://evil.example/x"}` })
      const { code, notes } = yield* run(`events list -o json -s x --base-url ${url}`)
      expect(code).toBe(7)
      expect(notes).toEqual([
        `vigil: A link of the health service leads to another origin: https://evil.example instead of ${url}. Report it to the service.`,
      ])
    }),
  )

  it.scopedLive("prints texts with control characters on one line", () =>
    Effect.gen(function* () {
      const title =
        "\u001b[31mred\u001b[0m\r\nover\u0008\u202egnp.exe \u001b]8;;http://evil\u0007link\u001b]8;;\u0007 \ud800"
      const url = yield* service({ body: JSON.stringify({ value: [{ name: "A", properties: { title } }] }) })
      const { data } = yield* run(`events list -s x --base-url ${url}`)
      expect(data).toHaveLength(2)
      expect(data[1]).toBe("A\t\t\t\tred over gnp.exe link \ufffd\t\t\t")
    }),
  )

  it.scopedLive("escapes control characters in JSON without changing the value", () =>
    Effect.gen(function* () {
      const sent = { name: "\u009b2J\u202e\u007f\u001b[31m", properties: { title: "\u2028\ufeff" } }
      const url = yield* service({ body: JSON.stringify({ value: [sent] }) })
      const { data } = yield* run(`events list -o json -s x --base-url ${url}`)
      expect(JSON.parse(data.join(""))).toEqual([sent])
      expect(data.join("")).toMatch(/^[\x20-\x7e]*$/)
    }),
  )

  it.live.each([
    [200, "TRACKING ID TYPE LEVEL STATUS TITLE SERVICES REGIONS UPDATED (UTC)"],
    [120, "TRACKING ID TYPE LEVEL STATUS TITLE REGIONS UPDATED (UTC)"],
    [80, "TRACKING ID LEVEL STATUS TITLE UPDATED (UTC)"],
  ] as const)("fits a terminal of %i columns with complete IDs and dates", ([width, headings]) =>
    Effect.gen(function* () {
      const { data } = yield* run("events list --sandbox", { width })
      expect(Math.max(...data.map((line) => line.length))).toBe(width)
      expect(data[0]?.replace(/ +/g, " ")).toBe(headings)
      expect(data[1]).toMatch(/^\w{4}-\w{3} .*….*\d{4}-\d\d-\d\d \d\d:\d\d$/)
    }),
  )

  it.live("fits the narrowest terminal", () =>
    Effect.gen(function* () {
      const { data } = yield* run("events list --sandbox", { width: 30 })
      expect(Math.max(...data.slice(0, -1).map((line) => line.length))).toBeLessThanOrEqual(30)
    }),
  )

  it.scopedLive("prints the events that arrived before the list failed", () =>
    Effect.gen(function* () {
      const url = yield* service({ body: `{"value":[{"name":"A"}],"nextLink":"https://evil.example"}` })
      const { code, data } = yield* run(`events list -s x --base-url ${url}`)
      expect(code).toBe(7)
      expect(data.map((line) => line.trim())).toEqual([expect.stringContaining("TRACKING ID"), "A"])
    }),
  )

  it.scopedLive("keeps zero-width joiners and non-joiners", () =>
    Effect.gen(function* () {
      const title = "👩‍👩‍👧 می‌خواهم"
      const url = yield* service({ body: JSON.stringify({ value: [{ name: "A", properties: { title } }] }) })
      expect((yield* run(`events list -s x --base-url ${url}`)).data[1]).toContain(title)
    }),
  )

  it.scopedLive("neither truncates nor pads cells without a terminal", () =>
    Effect.gen(function* () {
      const title = "x".repeat(10_000)
      const value = [
        { name: "A", properties: { title } },
        { name: "B", properties: { title: "T", status: "Active" } },
      ]
      const url = yield* service({ body: JSON.stringify({ value }) })
      const { data } = yield* run(`events list -s x --base-url ${url}`)
      expect(data[1]).toContain(title)
      expect(data[2]?.length).toBeLessThan(200)
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
    [
      "events list --sandbox --subscription nope",
      5,
      "The subscription 'nope' could not be found. Check the ID and the base URL.",
    ],
    ["events list --sandbox --subscription a/b", 2, `--subscription "a/b" is invalid: pass an ID without slashes.`],
    ["events list --sandbox --resource a//b", 2, `--resource "a//b" is invalid: pass a full resource ID`],
    ["events list --sandbox -s a -r b", 2, "are mutually exclusive: pass one of them."],
    ["events list --base-url http://127.0.0.1:1 -s x", 6, "the connection was refused (ECONNREFUSED). Check the URL"],
    [
      "events list --base-url https://nowhere.invalid -s x",
      6,
      "No complete response from the health service at https://nowhere.invalid: the host is unknown",
    ],
    [
      "events list --base-url nowhere -s x",
      2,
      "The base URL is not a valid URL. Pass a URL such as https://service.example. The invalid value is from --base-url.",
    ],
    [
      "events list --base-url http://127.0.0.1:1",
      2,
      "No subscription is configured: set HEALTH_SUBSCRIPTION, or pass --subscription ID, --resource ID or --tenant-wide.",
    ],
    ["events report --sandbox", 2, "--out is missing: pass --out <file>."],
    ["events show --sandbox", 2, "<id> is missing: run vigil events show <id>. Run vigil events show --help"],
    ["apps remove-user a/b", 2, "<email> is missing: run vigil apps remove-user <owner/app> <email>."],
    ["events list --base-url http://127.0.0.1:1 --sandbox", 2, "--sandbox and --base-url are mutually exclusive"],
    ["events list -s x", 2, "No base URL is configured (try --sandbox): set HEALTH_BASE_URL, or pass --base-url"],
    ["events list --sandbox --nope", 2, "vigil events list has no flag --nope."],
    [
      "events list --sandbox --subscription",
      2,
      "--subscription has no value: pass --subscription <id>. Run vigil events list --help",
    ],
    ["events list --sandbox extra", 2, `Unexpected argument "extra": run vigil events list.`],
    ["--sandbox events list", 2, "vigil has no flag --sandbox. The flags of a command follow its name"],
    ["events --nope", 2, "vigil events has no flag --nope."],
    ["events list --sandbox --output xml", 2, `--output "xml" is invalid: pass table, wide, json, jsonl, csv or yaml.`],
    [
      "events list --sandbox --api-version 2020-01-01",
      2,
      `--api-version "2020-01-01" is invalid: pass 2025-05-01 or 2025-04-01.`,
    ],
    ["events lst", 2, `Unknown command "vigil events lst". Did you mean vigil events list? Run vigil events --help`],
    ["evnts", 2, `Unknown command "vigil evnts". Did you mean vigil events? Run vigil --help`],
    ["apps whoami", 2, "set APPMGMT_BASE_URL"],
    ["apps whoami --base-url https://apps.example", 3, "The API token is missing. Set APPMGMT_API_TOKEN"],
  ] as const)("of vigil %s has exit code %i", ([line, exitCode, words]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(line)
      expect({ code, data }).toEqual({ code: exitCode, data: [] })
      expect(notes).toHaveLength(1)
      expect(notes[0]).toMatch(/^vigil: .*[.?]$/)
      expect(notes[0]).toContain(words)
      expect(notes[0]).not.toMatch(/\n|\s{4}at |Error:/)
    }),
  )

  it.live("caused by a setting names the setting, not its value", () =>
    Effect.gen(function* () {
      vi.stubEnv("VIGIL_SANDBOX", "banana")
      const { code, notes } = yield* run("events list")
      expect(code).toBe(2)
      expect(notes).toEqual([
        "vigil: VIGIL_SANDBOX is not a boolean: set it to 1, true, yes, on, or 0, false, no, off.",
      ])
      vi.stubEnv("VIGIL_SANDBOX", "")
      expect((yield* run("events list")).notes[0]).toContain("No base URL is configured")
    }),
  )

  it.live.each([
    ["1", 0],
    ["true", 0],
    ["YES", 0],
    ["On", 0],
    ["0", 2],
    ["False", 2],
    ["no", 2],
    ["OFF", 2],
  ] as const)("is not caused by VIGIL_SANDBOX=%s, which is a boolean", ([value, code]) =>
    Effect.gen(function* () {
      vi.stubEnv("VIGIL_SANDBOX", value)
      const ended = yield* run("events list --limit 1")
      expect(ended.code).toBe(code)
      if (code === 2) expect(ended.notes[0]).toContain("No base URL is configured")
    }),
  )

  it.live("caused by a token does not contain it", () =>
    Effect.gen(function* () {
      vi.stubEnv("APPMGMT_API_TOKEN", "canary-44e0")
      vi.stubEnv("HEALTH_ACCESS_TOKEN", "canary-44e0")
      vi.stubEnv("HEALTH_BASE_URL", "http://far.example")
      const exposed = yield* run("events list -s x")
      expect(exposed).toMatchObject({ code: 3, data: [], notes: [expect.stringContaining("plain HTTP")] })
      expect(JSON.stringify(exposed)).not.toContain("canary")
    }),
  )
})

describe("vigil", () => {
  it.live.each([["--help"], ["events --help"], ["events list --help"], ["events list --sandbox -s x -h"]] as const)(
    "%s prints the help as plain text on stdout",
    ([line]) =>
      Effect.gen(function* () {
        const { code, data, notes } = yield* run(line)
        expect({ code, notes }).toEqual({ code: 0, notes: [] })
        expect(data.join("\n")).toContain("list")
        expect(data.join("\n")).not.toContain("\u001b")
      }),
  )

  it.live("prints its version with --version and version", () =>
    Effect.gen(function* () {
      for (const line of ["--version", "version", "version --no-color"])
        expect((yield* run(line)).data).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)])
    }),
  )
})

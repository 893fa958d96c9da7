import { describe, expect, it } from "@effect/vitest"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterEach, vi } from "vitest"
import { run } from "../support/run.js"

afterEach(() => {
  vi.restoreAllMocks()
})

/** Each message ends with a hint: the suggestion, the valid values, or the usage. */
describe("a mistake in the arguments", () => {
  it.live.each([
    ["evnts", `"vigil evnts"`, "vigil events?"],
    ["apps remve-user", `"vigil apps remve-user"`, "vigil apps remove-user?"],
    ["apps remove", `"vigil apps remove"`, "vigil apps remove-user?"],
    ["apps xyz", `"vigil apps xyz"`, "whoami, list, url, remove-user"],
    ["events --nope", "--nope", "vigil events --help"],
    ["events list --subscriptoin x", "--subscriptoin", "--subscription?"],
    ["events list --sub=x", "--sub", "--subscription?"],
    ["events list --LIMIT 3", "--LIMIT", "--limit?"],
    ["events list -xyz", "-x", "vigil events list --help"],
    ["--sandbox events list", "--sandbox", "vigil --help"],
    ["events list -o json --output=csv", "--output", "once"],
    ["events list --output", "--output", "table | wide | json | jsonl | csv"],
    ["events list --output=jsn", `--output "jsn"`, "json?"],
    ["events list --output xml", `--output "xml"`, "table, wide, json, jsonl or csv"],
    ["events list --output==json", `--output "=json"`, "csv"],
    ["events list -oa=b", `--output "a=b"`, "csv"],
    ["events list --log-level loud", `--log-level "loud"`, "trace, debug"],
    ["events list --log-level", "--log-level", "all | trace"],
    ["events list -s -o json", "--subscription", "--subscription <"],
    ["events list --limit -5", `--limit "-5"`, "1"],
    ["events list --sandbox extra", `"extra"`, "vigil events list"],
    ["events report --sandbox", "--out", "--out <file>"],
    ["events show --sandbox", "<id>", "vigil events show <id>"],
    ["apps remove-user a/b", "<email>", "vigil apps remove-user <owner/app> <email>"],
    ["sandbox --port x", `--port "x"`, "0 to 65535"],
    ["sandbox --cors=1", "--cors", "vigil sandbox --help"],
    ["sandbox --port --cors", "--port", "--port <port>"],
    ["sandbox -- --port", `"--port"`, "vigil sandbox"],
  ] as const)("in vigil %s is named, with a hint", ([line, noun, hint]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(line)
      expect({ code, data, notes }).toEqual({ code: 2, data: [], notes: [expect.stringContaining(noun)] })
      expect(notes[0]).toContain(hint)
    }),
  )

  it.live("is printed on one line", () =>
    Effect.gen(function* () {
      const { notes } = yield* run(["events", "list", "--\u001b[2J\nx"])
      expect(notes).toHaveLength(1)
    }),
  )
})

describe("--help", () => {
  it.live.each([
    "events list -s --help",
    "events list -h -s",
    "events list --log-level --help",
    "events list -hx",
    "events list -hs",
    "events list --help=yes",
    "events list --filter -- --unknown --help",
    "events -hx list",
  ])("ignores mistakes in flags: vigil %s", (line) =>
    Effect.gen(function* () {
      const { code, data } = yield* run(line)
      expect(code).toBe(0)
      expect(data.join("\n")).toContain("vigil events list [flags]")
    }),
  )

  it.live.each([
    ["events list --sandbox -sabc-health", "abc-health"],
    ["events show --sandbox -- -h", `"-h"`],
    ["events list --output=--help", `--output "--help"`],
  ] as const)("is not read from vigil %s", ([line, words]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(line)
      expect(code).not.toBe(0)
      expect(data).toEqual([])
      expect(notes.join("\n")).toContain(words)
    }),
  )
})

describe("a short flag", () => {
  it.live.each(["-ojson", "-o=json", "-o json"])("takes its value as %s", (flag) =>
    Effect.gen(function* () {
      const { code, data } = yield* run(`events list --sandbox --limit 1 ${flag}`)
      expect(code).toBe(0)
      expect(JSON.parse(data.join("\n"))).toHaveLength(1)
    }),
  )

  it.live("is not recognized in the value of another flag, or after --", () =>
    Effect.gen(function* () {
      const value = yield* run("apps url fleet/dispatch --owner-type org --portal -ojson")
      expect(value.notes.join("")).not.toContain("has no flag")
      const behind = yield* run("events show --sandbox -- -ojson")
      expect(behind.notes).toEqual([expect.stringContaining("-ojson")])
    }),
  )
})

describe("--debug", () => {
  const recordLog = () => {
    const lines: Array<string> = []
    vi.spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)))
    return lines
  }

  it.live("logs the method, the redacted URL, the status and the time of each request", () =>
    Effect.gen(function* () {
      const lines = recordLog()
      yield* run("events list --sandbox")
      expect(lines).toEqual([])
      const { origin } = yield* Faults.serve([
        Reply.page([], "?api-version=1&$skipToken=canary-7d1e"),
        Reply.text("", { status: 503 }),
        Reply.page([]),
      ])
      expect((yield* run(`events list -s x --base-url ${origin} --debug`)).code).toBe(0)
      const sent = lines.flatMap((one) => /message="(GET [^"]*)"/.exec(one)?.slice(1) ?? [])
      const path = `${origin}/subscriptions/x/providers/Vendor.ResourceHealth/events`
      expect(sent.map((one) => one.replace(/ in \d+ ms$/, ""))).toEqual([
        `GET ${path}?api-version=${ApiVersion.defaultVersion} 200`,
        `GET ${path}?api-version=1&$skipToken=REDACTED 503`,
        `GET ${path}?api-version=1&$skipToken=REDACTED 200`,
      ])
      expect(lines.join("")).not.toContain("canary-7d1e")
    }),
  )

  it.live("logs an interrupted request, and one without a response", () =>
    Effect.gen(function* () {
      const lines = recordLog()
      yield* run("events list -s x --base-url http://127.0.0.1:1 --debug")
      expect(lines.join("\n")).toMatch(/message="GET http:\/\/127\.0\.0\.1:1\/\S+ failed in \d+ ms"/)
      const server = yield* Faults.serve(() => Effect.as(Effect.never, Reply.page([])))
      const running = yield* Effect.forkChild(run(`events list -s x --base-url ${server.origin} --debug`))
      yield* server.awaitRequests(1)
      yield* Fiber.interrupt(running)
      expect(lines.join("\n")).toMatch(/message="GET \S+ interrupted in \d+ ms"/)
    }),
  )
})

describe("the flags of every command", () => {
  it.live.each([
    "--log-level debug events list --sandbox --limit 1",
    "events --log-level=debug list --sandbox --limit 1",
    "events list --sandbox --limit 1 --log-level DEBUG",
    "events show --debug D5VD-GHJ --sandbox",
    "events show --sandbox D5VD-GHJ --no-color",
  ])("may be anywhere: vigil %s", (line) =>
    Effect.gen(function* () {
      expect(yield* run(line)).toMatchObject({ code: 0 })
    }),
  )

  it.live("disable color in data and help", () =>
    Effect.gen(function* () {
      for (const line of ["events list --sandbox --limit 5", "events list --help"]) {
        const ground = { color: true, width: 120 }
        expect((yield* run(line, ground)).data.join("")).toContain("\u001b[")
        expect((yield* run(`${line} --no-color`, ground)).data.join("")).not.toContain("\u001b")
      }
    }),
  )
})

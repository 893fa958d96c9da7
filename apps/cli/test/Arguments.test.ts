import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterEach, vi } from "vitest"
import { run } from "./run.js"

afterEach(() => {
  vi.restoreAllMocks()
})

describe("a mistake in the arguments", () => {
  it.live.each([
    ["apps remve-user", `Unknown command "vigil apps remve-user". Did you mean vigil apps remove-user? Run vigil apps`],
    ["apps remove", "Did you mean vigil apps remove-user?"],
    [
      "apps xyz",
      `Unknown command "vigil apps xyz". The commands are whoami, list, url, remove-user, request. Run vigil apps --help`,
    ],
    ["sandbx", "Did you mean vigil sandbox?"],
    ["events list --subscriptoin x", "vigil events list has no flag --subscriptoin. Did you mean --subscription?"],
    ["events list --sub=x", "vigil events list has no flag --sub. Did you mean --subscription?"],
    ["events list -xyz", "vigil events list has no flag -x. Run vigil events list --help"],
    ["events list -o json --output=csv", "--output is repeated: pass it once."],
    ["events list --output", "--output has no value: pass --output table | wide | json | jsonl | csv | yaml."],
    [
      "events list --output=jsn",
      `--output "jsn" is invalid: pass table, wide, json, jsonl, csv or yaml. Did you mean json?`,
    ],
    ["sandbox --prt 1", "vigil sandbox has no flag --prt. Did you mean --port?"],
    ["sandbox --port x", `--port "x" is invalid: pass a whole number from 0 to 65535.`],
    ["sandbox --cors=1", "--cors takes no value."],
    ["sandbox --port --cors", "--port has no value: pass --port <port>."],
    ["sandbox extra", `Unexpected argument "extra": run vigil sandbox.`],
    ["sandbox -- --port", `Unexpected argument "--port": run vigil sandbox.`],
    ["events list --log-level loud", `--log-level "loud" is invalid: pass all, trace, debug`],
    ["events list --log-level", "--log-level has no value: pass --log-level all | trace"],
    ["events list -s -o json", "--subscription has no value: pass --subscription <"],
    ["events list --limit -5", `--limit "-5" is invalid: pass a whole number of at least 1.`],
    ["events list --output==json", `--output "=json" is invalid`],
    ["events list -oa=b", `--output "a=b" is invalid`],
    ["--completions bash", "vigil has no flag --completions. The flags of a command follow its name"],
  ] as const)("in vigil %s is named, with a suggestion", ([line, words]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(line)
      expect({ code, data }).toEqual({ code: 2, data: [] })
      expect(notes).toEqual([expect.stringContaining(words)])
    }),
  )

  it.live("is printed on one line", () =>
    Effect.gen(function* () {
      const { notes } = yield* run(["events", "list", "--\u001b[2J\nx"])
      expect(notes).toHaveLength(1)
    }),
  )

  it.live("can be a flag in upper case", () =>
    Effect.gen(function* () {
      const { code, notes } = yield* run(
        "apps remove-user fleet/dispatch lin.wu@vigil.example --yes --DRY-RUN --sandbox",
      )
      expect(code).toBe(2)
      expect(notes).toEqual([expect.stringContaining("has no flag --DRY-RUN. Did you mean --dry-run?")])
    }),
  )
})

describe("--help", () => {
  it.live.each([
    "events list -s --help",
    "events list -h -s",
    "events list --log-level --help",
    "events list -hx",
    "events list -ho",
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
    ["events list --output=--help", `--output "--help" is invalid`],
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

  it.live("that is repeatable may have its value attached", () =>
    Effect.gen(function* () {
      const { code, notes } = yield* run("events list --sandbox -sa/b")
      expect(code).toBe(2)
      expect(notes).toEqual([expect.stringContaining(`--subscription "a/b" is invalid`)])
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
  it.scopedLive("logs the method, the redacted URL, the status and the time of each request", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      vi.spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)))
      const server = yield* Faults.serve([
        Reply.page([], "?api-version=1&$skipToken=canary-7d1e"),
        Reply.text("", { status: 503 }),
        Reply.page([]),
      ])
      const line = `events list -s x --base-url ${server.origin}`
      expect((yield* run(`${line} --debug`)).code).toBe(0)
      const sent = lines.flatMap((one) => /message="(GET [^"]*)"/.exec(one)?.slice(1) ?? [])
      const path = `${server.origin}/subscriptions/x/providers/Vendor.ResourceHealth/events`
      expect(sent.map((one) => one.replace(/ in \d+ ms$/, ""))).toEqual([
        `GET ${path}?api-version=2025-05-01 200`,
        `GET ${path}?api-version=1&$skipToken=REDACTED 503`,
        `GET ${path}?api-version=1&$skipToken=REDACTED 200`,
      ])
      expect(lines.join("")).not.toContain("canary-7d1e")
      const count = lines.length
      yield* run(line)
      expect(lines).toHaveLength(count)
    }),
  )

  it.scopedLive("logs an interrupted request", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      vi.spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)))
      const server = yield* Faults.serve(() => Reply.delayUntil(Effect.never, Reply.page([])))
      const running = yield* Effect.fork(run(`events list -s x --base-url ${server.origin} --debug`))
      yield* server.awaitRequests(1)
      yield* Fiber.interrupt(running)
      expect(lines.join("\n")).toMatch(/message="GET \S+ interrupted in \d+ ms"/)
    }),
  )

  it.scopedLive("logs a request without a response", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      vi.spyOn(console, "error").mockImplementation((line) => void lines.push(String(line)))
      yield* run("events list -s x --base-url http://127.0.0.1:1 --debug")
      expect(lines.join("\n")).toMatch(/message="GET http:\/\/127\.0\.0\.1:1\/\S+ failed in \d+ ms"/)
    }),
  )
})

describe("the flags of every command", () => {
  it.live.each([
    "--log-level debug events list --sandbox --limit 1",
    "events --log-level=debug list --sandbox --limit 1",
    "events list --sandbox --limit 1 --log-level DEBUG",
    "events show --log-level=debug D5VD-GHJ --sandbox",
    "events show --sandbox D5VD-GHJ --no-color",
    "--debug events list --sandbox --limit 1",
    "events show --sandbox D5VD-GHJ --debug",
  ])("may be anywhere: vigil %s", (line) =>
    Effect.gen(function* () {
      expect(yield* run(line)).toMatchObject({ code: 0 })
    }),
  )

  it.live("are arguments after --", () =>
    Effect.gen(function* () {
      const { code, notes } = yield* run("events show --sandbox -- --no-color")
      expect(code).not.toBe(0)
      expect(notes).toEqual([expect.stringContaining("--no-color")])
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

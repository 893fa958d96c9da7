/** Tokens never appear in process lists, in the output, or in files other than the token file, even with all logs. */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { findHarm } from "../support/hostile.js"
import { type ProcessResult, type RunOptions, vigil } from "../support/subprocess.js"

const canary = "canary-9c1d.token"

/** The command line of a process, which other users of this machine can read. */
const commandLineOf = (pid: number | undefined): string => {
  const file = `/proc/${pid}/cmdline`
  return existsSync(file)
    ? readFileSync(file, "utf8")
    : execFileSync("ps", ["-ww", "-o", "args=", "-p", String(pid)], { encoding: "utf8" })
}

/** A service that echoes every request, and records the command line of the client. */
const echoService = Effect.gen(function* () {
  const commandLines: Array<string> = []
  let pid: number | undefined
  const { origin, requests } = yield* Faults.serve((request) => {
    commandLines.push(commandLineOf(pid))
    return Reply.echo(request, request.target.includes("/events") ? 403 : 401)
  })
  /** Runs a command against the service with all logs. */
  const run = (line: string, options: RunOptions): Effect.Effect<ProcessResult> =>
    Effect.promise(() =>
      vigil(["--log-level", "all", ...line.split(" ")], {
        ...options,
        env: { HEALTH_BASE_URL: origin, APPMGMT_BASE_URL: origin, ...options.env },
        onStart: (child) => (pid = child.pid),
      }),
    )
  return { commandLines, requests, run }
})

const commands = ["events list -s x", "apps remove-user a/b ada@vigil.example --yes", "doctor -s x -o json"]

describe("a token", () => {
  it.live("of the environment is visible to the service only", () =>
    Effect.gen(function* () {
      const HOME = yield* folder
      const { commandLines, requests, run } = yield* echoService
      const env = { HOME, HEALTH_ACCESS_TOKEN: canary, APPMGMT_API_TOKEN: canary }
      const runs = yield* Effect.forEach(commands, (line) => run(line, { env, stdin: { text: "x\n" } }))
      const sent = yield* requests
      expect(runs.map(({ code }) => code)).not.toContain(0)
      expect(sent.length).toBeGreaterThanOrEqual(commands.length)
      expect(JSON.stringify(sent)).toContain(canary)
      expect(commandLines.every((args) => args.includes("--log-level"))).toBe(true)
      expect(JSON.stringify([runs, commandLines])).not.toContain(canary)
      expect(readdirSync(HOME)).toEqual([])
    }),
  )
})

describe("the log", () => {
  it.live("contains no control or invisible characters, whatever the service sends", () =>
    Effect.gen(function* () {
      const text = "\u001b[31m\u009b2J\u001b]0;owned\u0007\r\b\u007f\u202e\u200b\ud800 end"
      const { origin } = yield* Faults.serve((_, index) =>
        Reply.json(
          { code: text, message: text, value: [{ properties: { priority: text } }, text], nextLink: `?${text}` },
          { status: index === 0 ? 503 : 200, headers: { "x-request-id": "\u009b2J" } },
        ),
      )
      const env = { HEALTH_BASE_URL: origin }
      const { stderr } = yield* Effect.promise(() => vigil("--log-level all events list -s x".split(" "), { env }))
      expect(stderr).toContain("Retrying in")
      expect(findHarm(stderr)).toBe(undefined)
    }),
  )
})

/** Tokens that must not be seen by who looks at the process from outside, whatever it logs. */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { folder } from "./folder.js"
import { harmIn } from "./hostile.js"
import { type Ended, type RunOptions, vigil } from "./spawned.js"

const canary = "canary-9c1d.token"

/** What others on this machine see of a process. */
const listed = (pid: number | undefined): string => {
  const file = `/proc/${pid}/cmdline`
  return existsSync(file)
    ? readFileSync(file, "utf8")
    : execFileSync("ps", ["-ww", "-o", "args=", "-p", String(pid)], { encoding: "utf8" })
}

/** The arguments of all processes. */
const listedAll = (): string =>
  existsSync("/proc/self/cmdline")
    ? readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .map((pid) => {
          try {
            return readFileSync(`/proc/${pid}/cmdline`, "utf8")
          } catch {
            // It has ended.
            return ""
          }
        })
        .join("\n")
    : execFileSync("ps", ["-A", "-ww", "-o", "args="], { encoding: "utf8" })

/** Every file below a folder, with its text and who may read it. */
const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, text: readFileSync(file, "utf8"), mode: statSync(file).mode & 0o777 }))

/** A service that echoes every request, and inspects the process of the client. */
const looking = Effect.gen(function* () {
  const seen: Array<string> = []
  let pid: number | undefined
  const { origin, requests } = yield* Faults.serve((request) => {
    seen.push(listed(pid))
    return Reply.echo(request, request.target.includes("/events") ? 403 : 401)
  })
  /** Runs at the service with all logs, and hands back what is seen of the run. */
  const run = (line: string, options: RunOptions): Effect.Effect<Ended> =>
    Effect.promise(() =>
      vigil(["--log-level", "all", ...line.split(" ")], {
        ...options,
        env: { HEALTH_BASE_URL: origin, APPMGMT_BASE_URL: origin, ...options.env },
        onStart: (child) => (pid = child.pid),
      }),
    )
  return { requests, run, seen }
})

const commands = [
  "events list -s x",
  "events watch -s x --once",
  "apps request POST apps --data {} --yes",
  "doctor -s x -o json",
]

/** For tests of several processes. */
const timeout = 60_000

describe("a token", () => {
  it.scopedLive(
    "of the environment is seen by the service alone",
    () =>
      Effect.gen(function* () {
        const HOME = yield* folder
        const { requests, run, seen } = yield* looking
        const env = { HOME, HEALTH_ACCESS_TOKEN: canary, APPMGMT_API_TOKEN: canary }
        const runs = yield* Effect.forEach(commands, (line) => run(line, { env, stdin: { text: "x\n" } }))
        const asked = yield* requests
        expect(runs.map(({ code }) => code)).not.toContain(0)
        expect(asked.length).toBeGreaterThanOrEqual(commands.length)
        expect(JSON.stringify(asked)).toContain(canary)
        expect(seen.every((args) => args.includes("--log-level"))).toBe(true)
        expect(JSON.stringify([runs, seen])).not.toContain(canary)
        expect(filesIn(HOME)).toEqual([])
      }),
    timeout,
  )

  it.scopedLive(
    "of a token command is seen by the service alone",
    () =>
      Effect.gen(function* () {
        const HOME = yield* folder
        const seen: Array<string> = []
        const { origin, requests } = yield* Faults.serve((request) => {
          seen.push(listedAll())
          return Reply.echo(request, 401)
        })
        const print = `const token = ${JSON.stringify(canary.split("-"))}.join("-"); console.error(token); console.log(token)`
        const HEALTH_TOKEN_COMMAND = JSON.stringify([process.execPath, "-e", print])
        const env = { HOME, HEALTH_BASE_URL: origin, HEALTH_TOKEN_COMMAND }
        const args = ["--log-level", "all", "events", "list", "-s", "x"]
        const ended = yield* Effect.promise(() => vigil(args, { env }))
        const asked = yield* requests
        expect([ended.code, asked.length]).toEqual([3, 2])
        expect(asked.map(({ headers }) => headers["authorization"])).toEqual([`Bearer ${canary}`, `Bearer ${canary}`])
        expect(seen.every((all) => all.includes("--log-level"))).toBe(true)
        expect(JSON.stringify([ended, seen])).not.toContain(canary)
        expect(filesIn(HOME)).toEqual([])
      }),
    timeout,
  )

  it.scopedLive(
    "of stdin is in its file, for its owner alone, and from there seen by the service alone",
    () =>
      Effect.gen(function* () {
        const HOME = yield* folder
        const { requests, run, seen } = yield* looking
        const kept = yield* Effect.forEach(["health", "apps"], (service) =>
          run(`auth login --service ${service} --token-stdin`, { env: { HOME }, stdin: { text: `${canary}\n` } }),
        )
        expect(kept.map(({ code }) => code)).toEqual([0, 0])
        // Every command reads the file in the same way.
        const runs = yield* Effect.forEach(["apps list", "doctor -s x"], (line) =>
          run(line, { env: { HOME }, stdin: { text: "x\n" } }),
        )
        expect(JSON.stringify(yield* requests)).toContain(canary)
        expect(JSON.stringify([kept, runs, seen])).not.toContain(canary)
        const data = join(HOME, ".local", "share", "vigil")
        expect(filesIn(HOME).map(({ file, mode, text }) => [file, mode, text.includes(canary)])).toEqual([
          [join(data, "apps.token"), 0o600, true],
          [join(data, "health.token"), 0o600, true],
        ])
      }),
    timeout,
  )
})

describe("the log", () => {
  it.scopedLive("holds nothing that a terminal obeys, whatever the service says", () =>
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
      expect(harmIn(stderr)).toBe(undefined)
    }),
  )
})

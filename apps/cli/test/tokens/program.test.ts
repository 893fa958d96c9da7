/** Programs that are run without a shell, within limits. */
import { realpathSync } from "node:fs"
import { homedir } from "node:os"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, vi } from "vitest"
import * as Program from "../../src/tokens/Program.js"
import { trackPrograms } from "../support/trackPrograms.js"

const limits: Program.Limits = { time: "1 minute", output: 1000 }

const node = (script: string, ...args: ReadonlyArray<string>) =>
  Program.run([process.execPath, "-e", script, ...args], limits)

afterEach(() => vi.unstubAllEnvs())

describe("a program", () => {
  it.live("gets its arguments unchanged, an empty stdin, and the home folder", () =>
    Effect.gen(function* () {
      const args = ["a b", "'\"", "$(id)", "`id`", "*", "%PATH%", "", "\\n", "--", "é\n"]
      const script =
        "console.log(JSON.stringify([process.argv.slice(1), require('node:fs').readFileSync(0, 'utf8'), process.cwd()]))"
      const outcome = yield* node(script, "--", ...args)
      expect(outcome).toMatchObject({ _tag: "Exited", code: 0, signal: null })
      expect(outcome._tag === "Exited" && JSON.parse(outcome.stdout)).toEqual([args, "", realpathSync(homedir())])
    }),
  )

  it.live("gets the environment without the secrets of vigil", () =>
    Effect.gen(function* () {
      const secrets = [
        "HEALTH_ACCESS_TOKEN",
        "HEALTH_CLIENT_SECRET",
        "APPMGMT_API_TOKEN",
        "VIGIL_SERVE_TOKEN",
        "VIGIL_DATABASE_URL",
        "PGPASSWORD",
      ]
      for (const name of [...secrets, "OTHER_TOKEN"]) vi.stubEnv(name, name)
      const print = `console.log(${JSON.stringify([...secrets, "OTHER_TOKEN"])}.filter((name) => name in process.env))`
      expect(yield* node(print)).toMatchObject({ _tag: "Exited", stdout: "[ 'OTHER_TOKEN' ]\n" })
    }),
  )

  it.live("that leaves a child process with its stdout returns its whole output", () =>
    Effect.gen(function* () {
      const { awaitStart, script } = yield* trackPrograms(1)
      const spawn = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(script)}], { stdio: "inherit" })`
      // Synchronous, so that all of it is in the pipe at the end.
      const print = 'require("node:fs").writeSync(1, `${child.pid}\n${"x".repeat(60_000)}`)'
      const outcome = yield* Program.run([process.execPath, "-e", `const child = ${spawn}; ${print}; process.exit()`], {
        ...limits,
        output: 64 * 1024,
      })
      const [pid, text] = outcome._tag === "Exited" ? outcome.stdout.split("\n") : []
      yield* awaitStart
      process.kill(Number(pid))
      expect(outcome).toMatchObject({ _tag: "Exited", code: 0 })
      expect(text).toHaveLength(60_000)
    }),
  )

  it.live("that is not in a folder is not started", () =>
    Effect.gen(function* () {
      // Node throws instead of emitting an event.
      expect(yield* Program.run([`${import.meta.filename}/x`], limits)).toMatchObject({ _tag: "NotStarted" })
    }),
  )

  it.effect("is killed with its children at the time limit", () =>
    Effect.gen(function* () {
      const { awaitEnd, awaitStart, script } = yield* trackPrograms(2)
      const spawn = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(script)}], { stdio: "ignore" })`
      const fiber = yield* Effect.forkChild(node(`${script}; ${spawn}`))
      yield* awaitStart
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(fiber)).toEqual({ _tag: "TimedOut" })
      yield* awaitEnd
    }),
  )
})

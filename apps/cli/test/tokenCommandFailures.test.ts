/** Token commands that fail or are invalid. */
import { rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { afterEach, vi } from "vitest"
import * as TokenCommand from "../src/auth/TokenCommand.js"
import { scene, stubCommand } from "./commandScene.js"
import { trackPrograms } from "./trackPrograms.js"
import { run } from "./run.js"
import { startWatch } from "./watchRun.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

describe("a token command that fails", () => {
  it.scopedLive("ends vigil with exit code 3 and one message, and nothing is sent", () =>
    Effect.gen(function* () {
      const { requests, workspace } = yield* scene
      const cases = [
        [
          ["vigil-has-no-such-program"],
          "The token command vigil-has-no-such-program (HEALTH_TOKEN_COMMAND) failed: the program was not found. I",
        ],
        [
          [workspace.tokenFile("health")],
          "The token command health.token (HEALTH_TOKEN_COMMAND) failed: the program could not be started (EACCES). C",
        ],
        [
          [process.execPath, "-e", "console.error('Run az login.');process.exit(7)"],
          "exit code 7: Run az login. To see the problem, run it in a terminal in your home folder",
        ],
        [
          [process.execPath, "-e", "console.error('No ' + process.argv.at(-1));process.exit(2)", "process.Hunter2!"],
          "exit code 2: No (hidden). To see the problem, run it",
        ],
        [[process.execPath, "-e", "process.kill(process.pid)"], "ended by SIGTERM. To see the problem, run it"],
        [[process.execPath, "-e", ""], "it printed nothing. Run it in a terminal"],
        [[process.execPath, "-p", "'not signed in'"], "it printed no token. It must print one token"],
        [[process.execPath, "-p", "'x'.repeat(70000)"], "it printed more than 64 KB. It must print"],
        [[process.execPath, "-p", '\'{"token":"t","expires_in":0}\''], "its token has expired. Sign in to it again"],
        [
          [process.execPath, "-p", '\'{"token":"t","expires_on":"abc"}\''],
          "it printed an expiry that is not a time. It must",
        ],
      ] as const
      workspace.write(workspace.tokenFile("health"), "")
      for (const [argv, words] of cases) {
        stubCommand(argv)
        const { code, data, notes } = yield* run("events list")
        expect({ code, data, notes }).toEqual({ code: 3, data: [], notes: [expect.stringContaining(words)] })
        expect(notes[0]).toMatch(/^vigil: The token command \S+ \(HEALTH_TOKEN_COMMAND\) failed: /)
        expect(notes[0]).not.toContain("process.")
      }
      expect(yield* requests).toEqual([])
    }),
  )

  it.scoped("because it waits is stopped at the time limit", () =>
    Effect.gen(function* () {
      const { awaitEnd, awaitStart, script } = yield* trackPrograms(1)
      // Connects after it has written its prompt.
      const argv = [process.execPath, "-e", `process.stderr.write("Password?\\n", () => ${script})`] as const
      const command = { program: "node", argv: Redacted.make(argv), from: "HEALTH_TOKEN_COMMAND", audience: undefined }
      const fiber = yield* Effect.fork(Effect.flip(TokenCommand.fetch(command)))
      yield* awaitStart
      yield* TestClock.adjust("25 seconds")
      const error = yield* Fiber.join(fiber)
      expect(error).toMatchObject({ _tag: "TokenCommandError", reason: "timeLimit", retryable: true })
      expect(error.message).toMatch(/it did not end within 25s(: Password\?)?\. Run it in a terminal: it may wait/)
      yield* awaitEnd
    }),
  )

  it.scopedLive("is reported by auth status and doctor", () =>
    Effect.gen(function* () {
      yield* scene
      stubCommand(["vigil-has-no-such-program"])
      const status = yield* run("auth status -o json")
      expect(status).toMatchObject({
        code: 1,
        notes: [expect.stringContaining("the program was not found. Install it")],
      })
      expect(JSON.parse(status.data.join(""))).toMatchObject([{ state: "not signed in", from: "command" }])
      const doctor = yield* run("doctor -o json")
      expect(doctor.code).toBe(1)
      expect(JSON.parse(doctor.data.join(""))).toContainEqual({
        check: "health token",
        result: "failed",
        found: "not available",
        from: "vigil-has-no-such-program",
        advice: expect.stringContaining("the program was not found. Install it"),
      })
    }),
  )

  it.scoped("ends a watch only if another run cannot succeed", () =>
    Effect.gen(function* () {
      const { requests, workspace } = yield* scene
      stubCommand(["vigil-has-no-such-program"])
      expect(yield* run("events watch")).toMatchObject({ code: 3 })
      const flag = join(dirname(workspace.tokenFile("health")), "ready")
      const isReady = `require("node:fs").existsSync(${JSON.stringify(flag)})`
      stubCommand([process.execPath, "-e", `if (${isReady}) console.log("token"); else process.exitCode = 1`])
      const watch = yield* startWatch("--every", "90s")
      expect(yield* watch.note).toMatch(
        /^vigil: A poll failed, the next one is in 1m 30s\. The token command node \(HEALTH_TOKEN_COMMAND\) failed: exit code 1\./,
      )
      yield* watch.idle
      workspace.write(flag, "")
      yield* watch.pass("90 seconds")
      yield* watch.idle
      expect(yield* requests).toHaveLength(1)
      yield* watch.stop
    }),
  )
})

describe("a token command that fails during a watch", () => {
  it.scoped("runs again at the next poll, unless its program no longer exists", () =>
    Effect.gen(function* () {
      const { requests, workspace } = yield* scene
      const file = join(workspace.folder, "print-token")
      workspace.write(file, `#!/bin/sh\necho '{"token":"first","expires_in":95}'\n`, 0o700)
      stubCommand([file])
      const watch = yield* startWatch("--every", "90s")
      yield* watch.idle
      workspace.write(file, "#!/bin/sh\n")
      yield* watch.pass("90 seconds")
      expect(yield* watch.note).toContain("A poll failed, the next one is in 1m 30s. The token command print-token")
      yield* watch.idle
      rmSync(file)
      yield* watch.pass("90 seconds")
      expect(yield* watch.note).toContain("the program was not found")
      expect(yield* Fiber.join(watch.fiber)).toBe(3)
      expect(yield* requests).toHaveLength(1)
    }),
  )
})

describe("an invalid token command", () => {
  it.scopedLive.each([
    ["[", "must be a program"],
    ["[]", "must be a program"],
    ['["node", 7]', "must be a program"],
    ['["", "x"]', "must be a program"],
    ['["node", "a\\u0000b"]', "must be a program"],
    [" ", "must be a program"],
    ["./print-token", "must be a program (a name in PATH or an absolute path)"],
    ["TOKEN=hunter2 az", "begins with a variable: variables cannot be set there. Set it to words"],
    ["TOKEN=/hunter2 az", "begins with a variable: variables cannot be set there. Set it to words"],
    ['["TOKEN=hunter2","az"]', "begins with a variable: variables cannot be set there. Set it to words"],
    ['"az" account', "begins with a quote: quotes have no meaning there. Set it to words"],
    ["'az account'", "begins with a quote: quotes have no meaning there. Set it to words"],
    [" 'az'", "begins with a quote: quotes have no meaning there. Set it to words"],
    ["bin/print-token", "must be a program (a name in PATH or an absolute path)"],
    ["bin/az --query=x", "and its arguments. Set it to words"],
    ["bin/az 'x'", "and its arguments. Set it to words"],
  ] as const)("%j of the environment is a usage error", ([value, words]) =>
    Effect.gen(function* () {
      const { requests } = yield* scene
      vi.stubEnv("HEALTH_TOKEN_COMMAND", value)
      const { code, data, notes } = yield* run("events list")
      expect({ code, data, notes }).toEqual({ code: 2, data: [], notes: [expect.stringContaining(words)] })
      expect(yield* requests).toEqual([])
      const doctor = yield* run("doctor")
      expect(doctor).toMatchObject({ code: 1 })
      expect(JSON.stringify([notes, doctor])).not.toContain("hunter2")
    }),
  )

  it.scopedLive.each([[[]], ["az account"], [["./print-token"]], [["TOKEN=hunter2", "az"]], [["az", 1]], [null]])(
    "%j of the user's file is a usage error that names the file",
    ([tokenCommand]) =>
      Effect.gen(function* () {
        const { workspace } = yield* scene
        workspace.write(workspace.user, JSON.stringify({ tokenCommand }))
        const { code, notes } = yield* run("events list")
        expect({ code, notes }).toEqual({ code: 2, notes: [expect.stringContaining("is not an array of texts:")] })
        expect(notes[0]).toContain(workspace.user)
      }),
  )
})

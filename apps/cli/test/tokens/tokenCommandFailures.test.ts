/** Token commands that fail or are invalid. */
import { chmodSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, vi } from "vitest"
import * as Argv from "../../src/settings/Argv.js"
import * as TokenCommand from "../../src/tokens/TokenCommand.js"
import { scene, stubCommand } from "../support/commandScene.js"
import { run } from "../support/run.js"
import { trackPrograms } from "../support/trackPrograms.js"
import { startWatch } from "../support/watchRun.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

describe("a token command that fails", () => {
  it.live.each<readonly [words: string, argv: Argv.Argv]>([
    ["SIGTERM", [process.execPath, "-e", "process.kill(process.pid)"]],
    ["64 KB", [process.execPath, "-p", "'x'.repeat(70000)"]],
  ])("by %s says so", ([words, argv]) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(TokenCommand.fetch(argv, "HEALTH_TOKEN_COMMAND"))
      expect(message).toContain(words)
    }),
  )

  it.live("ends vigil with exit code 3 and one message, and nothing is sent", () =>
    Effect.gen(function* () {
      const { requests, workspace } = yield* scene
      const cases = [
        [["vigil-has-no-such-program"], "not found"],
        [[workspace.tokenFile("health")], "EACCES"],
        [[process.execPath, "-e", "console.error('Run az login.');process.exit(7)"], "exit code 7"],
      ] as const
      workspace.write(workspace.tokenFile("health"), "")
      for (const [argv, words] of cases) {
        stubCommand(argv)
        const { code, data, notes } = yield* run("events list")
        expect({ code, data, notes }).toEqual({ code: 3, data: [], notes: [expect.stringContaining(words)] })
        expect((yield* run("auth status")).notes).toEqual([expect.stringContaining(words)])
        expect(notes[0]).toContain("(HEALTH_TOKEN_COMMAND)")
        expect(notes[0]).not.toMatch(/process\.|az login/)
      }
      expect(yield* requests).toEqual([])
    }),
  )

  it.live("as the Azure CLI is quoted", () =>
    Effect.gen(function* () {
      const { workspace } = yield* scene
      const az = join(workspace.folder, "az")
      workspace.write(az, `#!${process.execPath}\nconsole.error("ERROR: Please run 'az login'"); process.exitCode = 1`)
      chmodSync(az, 0o700)
      vi.stubEnv("PATH", workspace.folder)
      stubCommand(["az", "account", "get-access-token"])
      const words = "failed (exit code 1). It says: Please run 'az login'."
      expect(yield* run("events list")).toMatchObject({ code: 3, notes: [expect.stringContaining(words)] })
    }),
  )

  it.effect("because it waits is stopped at the time limit", () =>
    Effect.gen(function* () {
      const { awaitEnd, awaitStart, script } = yield* trackPrograms(1)
      // Connects after it has written its prompt.
      const argv = [process.execPath, "-e", `process.stderr.write("Password?\\n", () => ${script})`] as const
      const fiber = yield* Effect.forkChild(Effect.flip(TokenCommand.fetch(argv, "HEALTH_TOKEN_COMMAND")))
      yield* awaitStart
      yield* TestClock.adjust("25 seconds")
      const error = yield* Fiber.join(fiber)
      expect(error).toMatchObject({ _tag: "TokenCommandError", reason: "timeLimit", isRetryable: true })
      expect(error.message).toContain("25s")
      yield* awaitEnd
    }),
  )

  it.effect("ends a watch only if another run cannot succeed", () =>
    Effect.gen(function* () {
      const { requests, workspace } = yield* scene
      stubCommand(["vigil-has-no-such-program"])
      expect(yield* run("events watch")).toMatchObject({ code: 3 })
      const flag = join(dirname(workspace.tokenFile("health")), "ready")
      const isReady = `require("node:fs").existsSync(${JSON.stringify(flag)})`
      stubCommand([process.execPath, "-e", `if (${isReady}) console.log("token"); else process.exitCode = 1`])
      const watch = yield* startWatch("--every", "90s")
      expect(yield* watch.note).toContain("Watching")
      expect(yield* watch.note).toContain("exit code 1")
      yield* watch.idle
      workspace.write(flag, "")
      yield* watch.pass("90 seconds")
      yield* watch.idle
      expect(yield* requests).toHaveLength(1)
      yield* watch.stop
    }),
  )
})

describe("an invalid token command", () => {
  it.each([
    "[",
    "[]",
    '["node", 7]',
    '["", "x"]',
    '["node", "a\\u0000b"]',
    " ",
    "./print-token",
    "bin/az --query=x",
    "TOKEN=/hunter2 az",
    '["TOKEN=hunter2","az"]',
    '"az" account',
    " 'az'",
  ])("%j is rejected", (text) => {
    expect(Argv.parse(text)).toEqual(Option.none())
  })

  it.live("of the environment is a usage error that does not contain it", () =>
    Effect.gen(function* () {
      const { requests } = yield* scene
      vi.stubEnv("HEALTH_TOKEN_COMMAND", "TOKEN=/hunter2 az")
      const { code, data, notes } = yield* run("events list")
      expect({ code, data, notes }).toEqual({ code: 2, data: [], notes: [expect.stringContaining("must be")] })
      expect(yield* requests).toEqual([])
      const doctor = yield* run("doctor")
      expect(doctor).toMatchObject({ code: 1 })
      expect(JSON.stringify([notes, doctor])).not.toContain("hunter2")
    }),
  )

  it.live("of the user's file is a usage error that names the file", () =>
    Effect.gen(function* () {
      const { workspace } = yield* scene
      for (const tokenCommand of ["az account", ["./print-token"], null]) {
        workspace.write(workspace.user, JSON.stringify({ tokenCommand }))
        const { code, notes } = yield* run("events list")
        expect({ code, notes }).toEqual({
          code: 2,
          notes: [expect.stringContaining(`"tokenCommand" in "${workspace.user}"`)],
        })
      }
    }),
  )
})

import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { subscriptionService } from "../support/service.js"
import { status } from "../support/statuses.js"
import { vigil } from "../support/subprocess.js"

describe("resources list --watch as a process", () => {
  it.live("stores the changes before it prints them, and after a kill prints those of its last second again", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "state")
      // More than a pipe holds: the process is killed while it prints.
      const names = Array.from({ length: 3_000 }, (_, index) => `server-${index}`)
      const { origin } = yield* subscriptionService({ x: names.map((name) => status(name, "Degraded")) })
      const args = ["resources", "list", "--watch", "-s", "x", "--base-url", origin, "--state-file", file]
      const killed = yield* Effect.promise(() => vigil(args, { onFirstOutput: (child) => child.kill("SIGKILL") }))
      expect(killed.code).toBe(137)
      expect(killed.stdout.split("\n").length).toBeLessThan(names.length)
      expect(existsSync(`${file}~resources`)).toBe(true)
      const next = yield* Effect.promise(() => vigil([...args, "--once"]))
      expect(next).toMatchObject({ code: 0, stderr: "" })
      expect(
        next.stdout
          .trimEnd()
          .split("\n")
          .map((line) => line.split(/ +/)[3]),
      ).toEqual(names)
      expect(yield* Effect.promise(() => vigil([...args, "--once"]))).toMatchObject({ code: 0, stdout: "", stderr: "" })
    }),
  )
})

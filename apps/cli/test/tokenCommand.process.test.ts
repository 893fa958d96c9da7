/** A token command while its vigil is interrupted. */
import type { ChildProcess } from "node:child_process"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { connected } from "./connected.js"
import { vigil } from "./spawned.js"

describe("a token command that waits", () => {
  it.scopedLive.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends when %s ends vigil with %i", ([signal, code]) =>
    Effect.gen(function* () {
      let child: ChildProcess | undefined
      const { ended, script } = yield* connected(1, () => child?.kill(signal))
      const env = {
        HEALTH_BASE_URL: "http://127.0.0.1:1",
        HEALTH_TOKEN_COMMAND: JSON.stringify([process.execPath, "-e", script]),
      }
      const onStart = (one: ChildProcess) => (child = one)
      const run = yield* Effect.promise(() => vigil(["events", "list", "-s", "x"], { env, onStart }))
      expect(run).toEqual({ code, stdout: "", stderr: "" })
      yield* ended
    }),
  )
})

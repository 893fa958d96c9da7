/** Signals to `vigil` while its token command runs. */
import type { ChildProcess } from "node:child_process"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { vigil } from "../support/subprocess.js"
import { trackPrograms } from "../support/trackPrograms.js"

describe("a token command that waits", () => {
  it.live.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("is stopped when %s ends vigil with exit code %i", ([signal, code]) =>
    Effect.gen(function* () {
      let child: ChildProcess | undefined
      const { awaitEnd, script } = yield* trackPrograms(1, () => child?.kill(signal))
      const env = {
        HEALTH_BASE_URL: "http://127.0.0.1:1",
        HEALTH_ACCESS_TOKEN: "",
        HEALTH_TOKEN_COMMAND: JSON.stringify([process.execPath, "-e", script]),
      }
      const onStart = (one: ChildProcess) => (child = one)
      const run = yield* Effect.promise(() => vigil(["events", "list", "-s", "x"], { env, onStart }))
      expect(run).toEqual({ code, stdout: "", stderr: "" })
      yield* awaitEnd
    }),
  )
})

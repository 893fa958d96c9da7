import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { vigil } from "./subprocess.js"

describe("serve as a process", () => {
  it.live.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("prints its URL, and on %s exits with %i", ([signal, code]) =>
    Effect.gen(function* () {
      const args = ["serve", "--sandbox", "--port", "0"]
      const ended = yield* Effect.promise(() => vigil(args, { onFirstOutput: (child) => child.kill(signal) }))
      expect(ended.code).toBe(code)
      expect(ended.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/)
      expect(ended.stderr).not.toContain("bug")
    }),
  )
})

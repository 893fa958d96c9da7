import { describe, expect, it } from "@effect/vitest"
import { Credential } from "@vigil/core-http"
import { printed } from "@vigil/testing/Recorder"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

describe("Credential", () => {
  const secret = Redacted.make("t0")

  it.effect.each([
    ["empty", Credential.bearer(Redacted.make(""))],
    ...["line\nbreak", "line\r\nx-other: 1", "ünicode", " space around ", "nul\u0000"].map(
      (text) => ["malformed", Credential.bearer(Redacted.make(text))] as const,
    ),
    ...["bad name", "", "x:y", "ü", "Content-Type"].map((name) => ["name", Credential.header(name, secret)] as const),
  ] as const)("with an invalid text or header name fails: %s %#", ([problem, { value }]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(value)).toMatchObject({ problem, isRetryable: false })
    }),
  )

  it.effect("keeps the names and codes of a failed effect's error, or of a defect, without their messages", () =>
    Effect.gen(function* () {
      class VaultError extends Data.TaggedError("VaultError")<{
        readonly message: string
        readonly cause: unknown
        readonly isRetryable: boolean
      }> {}
      const refused = Object.assign(new Error("canary-51ab"), { code: "ECONNREFUSED", headers: "canary-51ab" })
      const failure = new VaultError({ message: "canary-51ab", cause: refused, isRetryable: true })
      const wiped = Redacted.make("canary-51ab")
      Redacted.wipeUnsafe(wiped)
      const vault = { isRetryable: true, cause: { name: "VaultError", cause: { name: "Error", code: "ECONNREFUSED" } } }
      const error = { isRetryable: false, cause: { name: "Error" } }
      for (const [{ value }, expected] of [
        [Credential.bearer(Effect.fail(failure)), vault],
        [Credential.bearer(Effect.die(failure)), vault],
        [Credential.fromToken(Effect.die(failure)), vault],
        [Credential.bearer(wiped), error],
        [Credential.fromToken(Effect.succeed({ secret: wiped })), error],
        [Credential.bearer(Effect.succeed({ secret, lifetime: "soon" as Duration.Input })), error],
      ] as const) {
        const reason = yield* Effect.flip(value)
        expect(reason).toMatchObject({ problem: "unavailable", ...expected })
        expect(printed(reason)).not.toContain("canary-51ab")
      }
    }),
  )
})

import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { Credential } from "@vigil/core-http"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

const failureOf = (credential: Credential.Header) => Effect.flip(credential.value)

describe("Credential", () => {
  it.effect.each([
    ["", "empty"],
    ["line\nbreak", "malformed"],
    ["line\r\nx-other: 1", "malformed"],
    ["ünicode", "malformed"],
    [" space around ", "malformed"],
    ["nul\u0000", "malformed"],
  ] as const)("rejects %j as %s", ([text, problem]) =>
    Effect.gen(function* () {
      const reason = yield* failureOf(Credential.bearer(Redacted.make(text)))
      expect(reason).toMatchObject({ problem, isTemporary: false })
      if (text !== "") expect(inspect(reason)).not.toContain(text)
    }),
  )

  it.effect.each([true, false])("is temporarily unavailable if the error of its effect is retryable: %s", (retryable) =>
    Effect.gen(function* () {
      const reason = yield* failureOf(Credential.bearer(Effect.fail({ message: "canary", retryable })))
      expect(reason).toMatchObject({ problem: "unavailable", isTemporary: retryable })
    }),
  )

  it.effect.each(["bad name", "", "x:y", "ü", "Content-Type"])("rejects the header name %j", (name) =>
    Effect.gen(function* () {
      expect(yield* failureOf(Credential.header(name, Redacted.make("t0")))).toMatchObject({ problem: "name" })
    }),
  )

  it.effect("keeps the names and codes of a failed effect's error, or of a defect, without their messages", () =>
    Effect.gen(function* () {
      class VaultError extends Data.TaggedError("VaultError")<{ readonly message: string; readonly cause: unknown }> {}
      const refused = Object.assign(new Error("canary-51ab"), { code: "ECONNREFUSED", headers: "canary-51ab" })
      const failure = new VaultError({ message: "canary-51ab", cause: refused })
      const wiped = Redacted.make("canary-51ab")
      Redacted.wipeUnsafe(wiped)
      const cause = { name: "VaultError", cause: { name: "Error", code: "ECONNREFUSED" } }
      for (const [credential, expected] of [
        [Credential.bearer(Effect.fail(failure)), cause],
        [Credential.bearer(Effect.die(failure)), cause],
        [Credential.fromToken(Effect.die(failure)), cause],
        [Credential.bearer(wiped), { name: "Error" }],
        [Credential.fromToken(Effect.succeed({ accessToken: wiped, lifetime: Option.none() })), { name: "Error" }],
      ] as const) {
        const reason = yield* failureOf(credential)
        expect(reason).toMatchObject({ problem: "unavailable", cause: expected })
        expect(inspect(reason, { depth: 9, showHidden: true })).not.toContain("canary-51ab")
      }
    }),
  )
})

describe("Credential.fromToken", () => {
  it.effect("keeps the error of the effect", () =>
    Effect.gen(function* () {
      const cause = new Error("The vault is locked. Unlock it.")
      expect((yield* failureOf(Credential.fromToken(Effect.fail(cause)))).cause).toBe(cause)
    }),
  )

  it.effect.each([
    [Option.none(), undefined],
    [Option.some(Duration.hours(1)), Duration.minutes(55)],
    [Option.some(Duration.minutes(10)), Duration.minutes(9)],
  ] as const)("uses a token with the lifetime %j for %j", ([lifetime, timeToLive]) =>
    Effect.gen(function* () {
      const credential = Credential.fromToken(Effect.succeed({ accessToken: Redacted.make("t0"), lifetime }))
      expect(credential).toMatchObject({ name: "authorization", renewable: true })
      const fetched = yield* credential.value
      expect([Redacted.value(fetched.secret), fetched.timeToLive]).toEqual(["Bearer t0", timeToLive])
    }),
  )
})

import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { Credential } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

const valueOf = (credential: Credential.Credential) =>
  credential._tag === "None" ? Effect.succeed(Redacted.make("")) : credential.value

describe("Credential", () => {
  it.effect("is a bearer token, or a header as it is", () =>
    Effect.gen(function* () {
      const bearer = Credential.bearer(Redacted.make("t0"))
      expect(bearer).toMatchObject({ name: "authorization" })
      expect(Redacted.value(yield* valueOf(bearer))).toBe("Bearer t0")
      const header = Credential.header("x-api-token", Effect.succeed(Redacted.make("t0")))
      expect(header).toMatchObject({ name: "x-api-token" })
      expect(Redacted.value(yield* valueOf(header))).toBe("t0")
    }),
  )

  it.effect.each([
    ["", "empty"],
    ["line\nbreak", "malformed"],
    ["line\r\nx-other: 1", "malformed"],
    ["ünicode", "malformed"],
    [" space around ", "malformed"],
    ["nul\u0000", "malformed"],
  ] as const)("refuses %j, which is %s", ([text, reason]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(valueOf(Credential.bearer(Redacted.make(text))))
      expect(error).toMatchObject({ _tag: "CredentialError", reason })
      if (text !== "") expect(inspect(error)).not.toContain(text)
    }),
  )

  it.effect("does not keep why a vault failed, or died, which may hold the secret", () =>
    Effect.gen(function* () {
      for (const vault of [Effect.fail(new Error("canary-51ab")), Effect.die(new Error("canary-51ab"))]) {
        const error = yield* Effect.flip(valueOf(Credential.bearer(vault)))
        expect(error).toMatchObject({ _tag: "CredentialError", reason: "unavailable" })
        expect(inspect(error)).not.toContain("canary-51ab")
      }
    }),
  )

  it.effect.each([["bad name"], [""], ["x:y"], ["ü"]] as const)("refuses the header name %j", ([name]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(valueOf(Credential.header(name, Redacted.make("t0"))))
      expect(error).toMatchObject({ _tag: "CredentialError", reason: "name" })
    }),
  )
})

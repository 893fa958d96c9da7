import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { Credential } from "@vigil/core-http"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

const valueOf = (credential: Credential.Credential) =>
  credential._tag === "None" ? Effect.succeed(Redacted.make("")) : Effect.map(credential.value, ({ secret }) => secret)

describe("Credential", () => {
  it.effect("is a bearer token or a plain header", () =>
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
  ] as const)("rejects %j as %s", ([text, reason]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(valueOf(Credential.bearer(Redacted.make(text))))
      expect(error).toMatchObject({ reason })
      if (text !== "") expect(inspect(error)).not.toContain(text)
    }),
  )

  it.effect("keeps the names and codes of a failed effect's error, without its message", () =>
    Effect.gen(function* () {
      class VaultError extends Data.TaggedError("VaultError")<{
        readonly message: string
        readonly cause: unknown
      }> {}
      const refused = Object.assign(new Error("canary-51ab"), { code: "ECONNREFUSED", headers: "canary-51ab" })
      const failure = new VaultError({ message: "canary-51ab", cause: refused })
      for (const vault of [Effect.fail(failure), Effect.die(failure)]) {
        const error = yield* Effect.flip(valueOf(Credential.bearer(vault)))
        expect(error).toMatchObject({
          reason: "unavailable",
          cause: { name: "VaultError", cause: { name: "Error", code: "ECONNREFUSED" } },
        })
        expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("canary-51ab")
      }
    }),
  )

  it.effect("of a fetched token keeps the error of the effect", () =>
    Effect.gen(function* () {
      const cause = new Error("The vault is locked. Unlock it.")
      const error = yield* Effect.flip(valueOf(Credential.fromToken(Effect.fail(cause))))
      expect(error).toEqual({ reason: "unavailable", cause })
    }),
  )

  it.effect("of a fetched token keeps the name of a defect, without its message", () =>
    Effect.gen(function* () {
      const wiped = Redacted.make("canary-51ab")
      Redacted.wipeUnsafe(wiped)
      for (const fetch of [
        Effect.promise(() => Promise.reject(new TypeError("canary-51ab"))),
        Effect.succeed({ accessToken: wiped, lifetime: Option.none() }),
      ]) {
        const error = yield* Effect.flip(valueOf(Credential.fromToken(fetch)))
        expect(error).toMatchObject({ reason: "unavailable", cause: { name: expect.stringMatching(/Error$/) } })
        expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("canary-51ab")
      }
    }),
  )

  it.effect.each([
    [Option.none(), undefined],
    [Option.some(Duration.hours(1)), Duration.minutes(55)],
    [Option.some(Duration.minutes(10)), Duration.minutes(9)],
  ] as const)("of a fetched token with the lifetime %j is used for %j", ([lifetime, timeToLive]) =>
    Effect.gen(function* () {
      const credential = Credential.fromToken(Effect.succeed({ accessToken: Redacted.make("t0"), lifetime }))
      expect(credential).toMatchObject({ name: "authorization", renewable: true })
      const fetched = yield* credential.value
      expect([Redacted.value(fetched.secret), fetched.timeToLive]).toEqual(["Bearer t0", timeToLive])
    }),
  )

  it.effect.each([["bad name"], [""], ["x:y"], ["ü"]] as const)("rejects the header name %j", ([name]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(valueOf(Credential.header(name, Redacted.make("t0"))))
      expect(error).toMatchObject({ reason: "name" })
    }),
  )
})

describe("isBearerToken", () => {
  it.each([
    ["az.AZ-09_~+/==", true],
    ["", false],
    ["=", false],
    ["a b", false],
    ["a\n", false],
    ["ü", false],
  ])("of %j is %s", (text, expected) => {
    expect(Credential.isBearerToken(text)).toBe(expected)
  })
})

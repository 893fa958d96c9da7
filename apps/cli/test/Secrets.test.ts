import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Secrets from "../src/settings/Secrets.js"

const canary = "canary-8c2d"

const refuse = (args: ReadonlyArray<string>) => Effect.flip(Secrets.refuseSecrets(args))

describe("a secret among the arguments is refused", () => {
  it.effect.each([
    [[`--PASSWORD=a\n${canary}`], "Unknown flag --PASSWORD."],
    [["apps", "list", "-secret"], "Unknown flag -secret."],
    [[`-b=https:/${canary}@host`], "A URL contains a user or a password."],
    [[`mysql://${canary}@host`], "A URL contains a user or a password."],
    [[` https:${canary}@host`], "A URL contains a user or a password."],
    [[`postgres://user:${canary}@host`], "A URL contains a user or a password."],
    [[`postgres://user@${canary}@host`], "A URL contains a user or a password."],
    [[`postgres://@host`], "A URL contains a user or a password."],
    [[`xpostgres://${canary}@host`], "A URL contains a user or a password."],
  ] as const)("%j", ([args, words]) =>
    Effect.gen(function* () {
      const { message } = yield* refuse(args)
      expect(message).toContain(`${words} Do not pass secrets on the command line`)
      expect(message).not.toContain(canary)
    }),
  )
})

describe("an argument without a secret is accepted", () => {
  it.effect.each([
    [["apps", "remove-user", "token", "secret@vigil.example"]],
    [["auth", "login", "--token-stdin"]],
    [["--filter=token eq 'x'"]],
    [["--base-url=https://host/path@home"]],
    [["see https://user@host"]],
    [["--database", "postgres://user@host"]],
    [["--database=postgresql://user@host:5432/vigil"]],
    [["POSTGRES://u@h"]],
  ] as const)("%j", ([args]) => Secrets.refuseSecrets(args))
})

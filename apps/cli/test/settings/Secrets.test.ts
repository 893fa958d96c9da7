import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Secrets from "../../src/settings/Secrets.js"

const canary = "canary-8c2d"

const refuse = (args: ReadonlyArray<string>) => Effect.flip(Secrets.refuseSecrets(args))

describe("a secret among the arguments is refused", () => {
  it.effect.each([
    [[`--PASSWORD=a\n${canary}`], "--PASSWORD"],
    [["apps", "list", "-secret"], "-secret"],
    [["--access_token", canary], "--access_token"],
    [["--base-url", `https:\\\\${canary}@host`], "URL"],
    [[`-b=https:/${canary}@host`], "URL"],
    [[`mysql://${canary}@host`], "URL"],
    [[` https:${canary}@host`], "URL"],
    [[`postgres://user:${canary}@host`], "URL"],
    [[`postgres://user@${canary}@host`], "URL"],
    [[`postgres://@host`], "URL"],
    [[`xpostgres://${canary}@host`], "URL"],
  ] as const)("%j", ([args, noun]) =>
    Effect.gen(function* () {
      const { message } = yield* refuse(args)
      expect(message).toContain(noun)
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

import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SecretFile from "../../src/tokens/SecretFile.js"
import { folder } from "../support/folder.js"

const canary = "canary-5d20-77ab"
const maxBytes = 16 * 1024

const write = (text: string, mode: number) =>
  Effect.map(folder, (inside) => {
    const file = join(inside, "token")
    writeFileSync(file, text)
    chmodSync(file, mode)
    return file
  })

const read = (file: string) => Effect.map(SecretFile.read(file), Option.map(Redacted.value))

describe("a secret file", () => {
  it.live.each([
    [0o600, `\ufeff \t${canary}\r\n`, canary],
    [0o400, canary, canary],
    [0o600, "t".repeat(maxBytes), "t".repeat(maxBytes)],
  ] as const)("of mode %o is read and trimmed", ([mode, text, secret]) =>
    Effect.gen(function* () {
      expect(yield* read(yield* write(text, mode))).toEqual(Option.some(secret))
    }),
  )

  it.live.each([0o640, 0o620, 0o604])("of mode %o fails as exposed, also behind a link", (mode) =>
    Effect.gen(function* () {
      const file = yield* write(canary, mode)
      symlinkSync(file, `${file}.link`)
      for (const path of [file, `${file}.link`]) {
        const error = yield* Effect.flip(read(path))
        expect(error).toMatchObject({ _tag: "SecretFileError", reason: "exposed", file: path })
        expect(JSON.stringify(error)).not.toContain(canary)
      }
    }),
  )

  it.live("is unreadable if it is empty, too large, a directory or a pipe, which is not opened", () =>
    Effect.gen(function* () {
      for (const text of [" \r\n\t", "t".repeat(maxBytes + 1)])
        expect(yield* Effect.flip(read(yield* write(text, 0o600)))).toMatchObject({ reason: "unreadable" })
      const inside = yield* folder
      mkdirSync(join(inside, "directory"), { mode: 0o700 })
      execFileSync("mkfifo", ["-m", "600", join(inside, "pipe")])
      for (const name of ["directory", "pipe", "\0"])
        expect(yield* Effect.flip(read(join(inside, name)))).toMatchObject({ reason: "unreadable" })
      expect(yield* read(join(inside, "missing"))).toEqual(Option.none())
    }),
  )
})

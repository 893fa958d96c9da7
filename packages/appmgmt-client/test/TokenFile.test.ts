import { chmod, mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { NodeFileSystem } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { TokenFile } from "@vigil/appmgmt-client"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { printed } from "./harness.js"

const canary = "canary-5d20-77ab"
const maxBytes = 16 * 1024

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

/** Writes a file with this text and mode. */
const writeToken = (text: string | Uint8Array, mode: number) =>
  Effect.map(folder, (inside) => join(inside, "token")).pipe(
    Effect.tap((file) =>
      Effect.promise(async () => {
        await writeFile(file, text)
        await chmod(file, mode)
      }),
    ),
  )

const unknown = Option.none()

/** The file information of a pipe of mode 600. */
const pipe: FileSystem.File.Info = {
  type: "FIFO",
  mode: 0o600,
  size: FileSystem.Size(0),
  dev: 0,
  mtime: unknown,
  atime: unknown,
  birthtime: unknown,
  ino: unknown,
  nlink: unknown,
  uid: unknown,
  gid: unknown,
  rdev: unknown,
  blksize: unknown,
  blocks: unknown,
}

/** The error of reading a file. */
const readError = (file: string) => Effect.flip(TokenFile.read(file))

describe("a token file", () => {
  it.scoped.each([0o600, 0o400, 0o700])("of mode %o is read and trimmed", (mode) =>
    Effect.gen(function* () {
      const file = yield* writeToken(` \t${canary}\r\n`, mode)
      const token = yield* TokenFile.read(file)
      expect(Redacted.isRedacted(token)).toBe(true)
      expect(Redacted.value(token)).toBe(canary)
      expect(printed(token)).not.toContain(canary)
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )

  it.scoped.each([0o640, 0o620, 0o610, 0o604, 0o602, 0o601, 0o666, 0o644, 0o777])(
    "of mode %o fails as exposed, and is not read",
    (mode) =>
      Effect.gen(function* () {
        const file = yield* writeToken(canary, mode)
        const error = yield* readError(file)
        expect(error).toMatchObject({ _tag: "TokenFileError", reason: "exposed", file })
        expect(error.message).toBe(
          `Other users can read or write the token file "${file}". Delete the token in the portal, and store a new one in a file of mode 600 (chmod 600). On Windows, pass the token in another way, because file modes cannot be checked there.`,
        )
        expect(printed(error)).not.toContain(canary)
      }).pipe(Effect.provide(NodeFileSystem.layer)),
  )

  it.scoped("can be a symbolic link, with the mode of its target", () =>
    Effect.gen(function* () {
      const file = yield* writeToken(canary, 0o600)
      yield* Effect.promise(() => symlink(file, `${file}.link`))
      expect(Redacted.value(yield* TokenFile.read(`${file}.link`))).toBe(canary)
      yield* Effect.promise(() => chmod(file, 0o644))
      expect(yield* readError(`${file}.link`)).toMatchObject({ reason: "exposed" })
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )

  it.scoped("fails as unreadable if it does not exist", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "nowhere\n")
      const error = yield* readError(file)
      expect(error).toMatchObject({ _tag: "TokenFileError", reason: "unreadable", file })
      expect(error.message).toBe(
        `Could not read the token file ${JSON.stringify(file)}. Check its path and permissions.`,
      )
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )

  it.scoped.each(["\0", ""])("fails as unreadable if its path is %j", (name) =>
    Effect.gen(function* () {
      expect(yield* readError(name)).toMatchObject({ _tag: "TokenFileError", reason: "unreadable" })
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )

  it.scoped("fails if it is a directory", () =>
    Effect.gen(function* () {
      const inside = join(yield* folder, "folder")
      yield* Effect.promise(() => mkdir(inside, { mode: 0o700 }))
      const error = yield* readError(inside)
      expect(error).toMatchObject({ reason: "not a file" })
      expect(error.message).toBe(`The token path "${inside}" is not a regular file.`)
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )

  it.effect("fails if it is a pipe, without opening it", () =>
    Effect.gen(function* () {
      expect(yield* readError("pipe")).toMatchObject({ reason: "not a file", file: "pipe" })
    }).pipe(
      Effect.provide(
        FileSystem.layerNoop({ stat: () => Effect.succeed(pipe), open: () => Effect.dieMessage("opened") }),
      ),
    ),
  )

  it.scoped.each(["", " \r\n\t"])("with %j fails as empty", (text) =>
    Effect.gen(function* () {
      const file = yield* writeToken(text, 0o600)
      const error = yield* readError(file)
      expect(error).toMatchObject({ reason: "empty" })
      expect(error.message).toBe(`The token file "${file}" is empty. Write the token to it.`)
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )

  it.scoped("can have up to 16 KiB, and is never truncated", () =>
    Effect.gen(function* () {
      const longest = yield* writeToken("t".repeat(maxBytes), 0o600)
      expect(Redacted.value(yield* TokenFile.read(longest))).toHaveLength(maxBytes)
      const file = yield* writeToken(`${canary}${"t".repeat(maxBytes - canary.length + 1)}`, 0o600)
      const error = yield* readError(file)
      expect(error).toMatchObject({ reason: "too large" })
      expect(error.message).toBe(
        `The token file "${file}" is larger than 16384 bytes. Check that it contains only the token.`,
      )
      expect(printed(error)).not.toContain(canary)
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )

  it.scoped("can start with a byte order mark, which is not part of the token", () =>
    Effect.gen(function* () {
      const file = yield* writeToken(`\ufeff${canary}\n`, 0o600)
      expect(Redacted.value(yield* TokenFile.read(file))).toBe(canary)
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )
})

/** A secret in a file of mode 600, written whole or not at all. */
import { randomUUID } from "node:crypto"
import { promises } from "node:fs"
import { dirname } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as FileSystem from "@effect/platform/FileSystem"
import * as TokenFile from "@vigil/appmgmt-client/TokenFile"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { FileError, SecretFileError } from "../Failure.js"

const codeOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : "unknown reason"

/** What the file holds; nothing where there is none. */
export const read = (file: string): Effect.Effect<Option.Option<Redacted.Redacted>, SecretFileError> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    if (!(yield* Effect.orElseSucceed(fs.exists(file), () => true))) return Option.none()
    return Option.some(yield* TokenFile.read(file))
  }).pipe(
    Effect.mapError(
      ({ reason }) => new SecretFileError({ file, reason: reason === "exposed" ? "exposed" : "unreadable" }),
    ),
    Effect.provide(NodeFileSystem.layer),
  )

/** Writes beside, where nobody else can read it from its first byte on, then renames. */
const writeWhole = async (file: string, secret: Redacted.Redacted): Promise<void> => {
  const beside = `${file}.${randomUUID()}.part`
  await promises.mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await promises.chmod(dirname(file), 0o700)
  try {
    const opened = await promises.open(beside, "wx", 0o600)
    try {
      await opened.writeFile(Redacted.value(secret))
      await opened.sync()
    } finally {
      await opened.close()
    }
    await promises.rename(beside, file)
  } catch (error) {
    await promises.rm(beside, { force: true })
    throw error
  }
}

/** Whether a file can be kept from others: where the system has modes. */
export const isSafe = process.platform !== "win32"

/** Puts the secret in the place of what the file held. */
export const write = (file: string, secret: Redacted.Redacted): Effect.Effect<void, FileError | SecretFileError> =>
  isSafe
    ? Effect.uninterruptible(
        Effect.tryPromise({
          try: () => writeWhole(file, secret),
          catch: (error) => new FileError({ file, reason: codeOf(error) }),
        }),
      )
    : new SecretFileError({ file, reason: "unsafe" })

/** Removes the file; says whether there was one. */
export const remove = (file: string): Effect.Effect<boolean, FileError> =>
  Effect.tryPromise({
    try: () => promises.rm(file),
    catch: codeOf,
  }).pipe(
    Effect.as(true),
    Effect.catchAll((code) =>
      code === "ENOENT" || code === "ENOTDIR" ? Effect.succeed(false) : new FileError({ file, reason: code }),
    ),
  )

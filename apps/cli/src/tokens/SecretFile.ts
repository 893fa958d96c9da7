/** A secret in a file of mode 600, written whole or not at all. */
import { promises, type Stats } from "node:fs"
import { dirname } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as AtomicFile from "../files/AtomicFile.js"
import * as BoundedFile from "../files/BoundedFile.js"
import { FileError } from "../files/FileError.js"
import { codeOf } from "../files/SystemError.js"

const reasons = {
  exposed:
    "is accessible to other users: treat its token as leaked. Revoke the token, run vigil auth logout, and sign in again",
  unreadable: "is unusable. Run vigil auth logout, and sign in again",
  unsafe: "cannot be protected from other users on this system. Set the token in the environment instead",
}

export class SecretFileError extends Data.TaggedError("SecretFileError")<{
  readonly file: string
  readonly reason: keyof typeof reasons
}> {
  readonly exit = "unauthenticated"

  override get message() {
    return `The file ${JSON.stringify(this.file)} ${reasons[this.reason]}.`
  }
}

/** Larger than any token. */
const maxBytes = 16 * 1024

/** Reads a file that only its owner can access. Without file modes (Windows), it fails as exposed. */
export const read = Effect.fnUntraced(function* (
  file: string,
): Effect.fn.Return<Option.Option<Redacted.Redacted>, SecretFileError> {
  const exposed = (stats: Stats) => (stats.isFile() && (stats.mode & 0o077) !== 0 ? "exposed" : undefined)
  const found = yield* Effect.result(BoundedFile.read(file, maxBytes, exposed))
  if (Result.isSuccess(found) && found.success.trim() !== "") return Option.some(Redacted.make(found.success.trim()))
  const reason = Result.isFailure(found) ? found.failure.reason : undefined
  if (reason === "missing") return Option.none()
  return yield* new SecretFileError({ file, reason: reason === "refused" ? "exposed" : "unreadable" })
})

/** Whether the system has file modes that protect a file. */
export const isSafe = process.platform !== "win32"

/** Replaces the file. Other users cannot read it at any time. */
export const write = (file: string, secret: Redacted.Redacted): Effect.Effect<void, FileError | SecretFileError> =>
  isSafe
    ? Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        yield* files.makeDirectory(dirname(file), { recursive: true, mode: 0o700 })
        yield* files.chmod(dirname(file), 0o700)
        yield* AtomicFile.removeAbandoned(file)
        yield* AtomicFile.replace(file, Redacted.value(secret), 0o600)
      }).pipe(Effect.uninterruptible, Effect.mapError(AtomicFile.fileError(file)), Effect.provide(NodeFileSystem.layer))
    : new SecretFileError({ file, reason: "unsafe" })

export const remove = (file: string): Effect.Effect<boolean, FileError> =>
  Effect.tryPromise({
    try: () => promises.rm(file),
    catch: (error) => codeOf(error) ?? "unknown reason",
  }).pipe(
    Effect.as(true),
    Effect.catch((code) =>
      code === "ENOENT" || code === "ENOTDIR" ? Effect.succeed(false) : new FileError({ file, reason: code }),
    ),
  )

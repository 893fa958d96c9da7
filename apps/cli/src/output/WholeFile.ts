/** Files that are written whole or not at all: nobody ever reads half of one, whatever happens while it is written. */
import { randomUUID } from "node:crypto"
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

/** The system's name for what went wrong, such as `ENOSPC`, or else a word for it. */
export const reason = (error: PlatformError.PlatformError): string => {
  if (error._tag === "BadArgument") return error.description ?? "not a path"
  const { cause } = error
  return Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : error.reason
}

/** Who may read it stays as it was. */
const modeOf = (file: string, mode: number) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    return yield* Effect.orElseSucceed(
      Effect.map(files.stat(file), ({ mode }) => mode & 0o777),
      () => mode,
    )
  })

/**
 * Writes the text beside the file, and puts it in the file's place when all of it is on the disk. A link stays one. A new file is
 * by default for everyone whom the process's mask lets read it.
 */
export const write = (
  path: string,
  text: string,
  mode = 0o666,
): Effect.Effect<void, PlatformError.PlatformError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const file = yield* Effect.orElseSucceed(files.realPath(path), () => path)
    const beside = `${file}.${randomUUID()}.part`
    yield* Effect.scoped(
      Effect.gen(function* () {
        const part = yield* files.open(beside, { flag: "wx", mode: yield* modeOf(file, mode) })
        yield* part.writeAll(new TextEncoder().encode(text))
        yield* part.sync
      }),
    ).pipe(
      Effect.zipRight(files.rename(beside, file)),
      Effect.onError(() => Effect.ignore(files.remove(beside))),
    )
  })

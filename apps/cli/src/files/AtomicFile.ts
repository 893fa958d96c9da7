/** Atomic writes of whole files: readers see the old file or the new one. */
import { randomUUID } from "node:crypto"
import { basename, dirname, isAbsolute, join } from "node:path"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type * as PlatformError from "effect/PlatformError"
import { FileError } from "./FileError.js"
import { codeOf } from "./SystemError.js"

/** The system's error code, such as `ENOSPC`, or a reason. */
export const reason = (error: PlatformError.PlatformError): string => {
  const { _tag, cause, description } = error.reason
  return _tag === "BadArgument" ? (description ?? "not a path") : (codeOf(cause) ?? _tag)
}

export const fileError = (file: string) => (error: PlatformError.PlatformError) =>
  new FileError({ file, reason: reason(error) })

const isMissing = (error: PlatformError.PlatformError): boolean => error.reason._tag === "NotFound"

/** Follows links, even to a file that does not exist. */
export const resolve = Effect.fnUntraced(function* (
  path: string,
): Effect.fn.Return<string, PlatformError.PlatformError, FileSystem.FileSystem> {
  const files = yield* FileSystem.FileSystem
  const real = yield* Effect.asSome(files.realPath(path)).pipe(Effect.catchIf(isMissing, () => Effect.succeedNone))
  if (Option.isSome(real)) return real.value
  const link = yield* Effect.option(files.readLink(path))
  if (Option.isNone(link)) return path
  // The system reads a relative link from its own folder.
  return yield* resolve(isAbsolute(link.value) ? link.value : join(yield* files.realPath(dirname(path)), link.value))
})

/** The name contains the ID of the writing process, so that abandoned files can be found. */
const temporary = /^(\d+)\.[\da-f-]{36}\.part$/

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === "EPERM"
  }
}

/** Removes temporary files of killed processes. Call it before the first write. */
export const removeAbandoned = Effect.fnUntraced(
  function* (path: string) {
    const files = yield* FileSystem.FileSystem
    const file = yield* resolve(path)
    const prefix = `${basename(file)}.`
    for (const name of yield* files.readDirectory(dirname(file))) {
      const [, pid] = (name.startsWith(prefix) && temporary.exec(name.slice(prefix.length))) || []
      // A file with this process's ID is from an earlier process: this one has not written yet.
      if (pid !== undefined && (Number(pid) === process.pid || !isRunning(Number(pid))))
        yield* files.remove(join(dirname(file), name))
    }
  },
  (removal) => Effect.ignore(removal),
)

/** Writes a temporary file in the same folder, then renames it. Replaces a link. */
export const replace = Effect.fnUntraced(function* (file: string, text: string | Iterable<string>, mode: number) {
  const files = yield* FileSystem.FileSystem
  const part = `${file}.${process.pid}.${randomUUID()}.part`
  yield* Effect.scoped(
    Effect.gen(function* () {
      const file = yield* files.open(part, { flag: "wx", mode })
      for (const chunk of typeof text === "string" ? [text] : text)
        yield* file.writeAll(new TextEncoder().encode(chunk))
      yield* file.sync
    }),
  ).pipe(
    Effect.andThen(files.rename(part, file)),
    Effect.onError(() => Effect.ignore(files.remove(part))),
  )
})

/** Writes a file atomically. A link stays a link, and an existing file keeps its mode. */
export const write = Effect.fnUntraced(function* (path: string, text: string | Iterable<string>, mode = 0o666) {
  const files = yield* FileSystem.FileSystem
  const file = yield* resolve(path)
  const existing = yield* Effect.option(files.stat(file))
  yield* replace(file, text, Option.match(existing, { onNone: () => mode, onSome: ({ mode }) => mode & 0o777 }))
})

/** The state file of `vigil events watch`. */
import * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import type * as Watch from "@vigil/health-client/Watch"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { FileError, UsageError } from "../Failure.js"
import * as WholeFile from "../output/WholeFile.js"

/** A store with one value, for any key. */
export interface StateFile {
  readonly store: KeyValueStore.KeyValueStore
  /** Why the last write failed. */
  readonly trouble: () => Option.Option<FileError>
  /** Whether this run wrote the file. */
  readonly isKept: () => boolean
  /** The error of a command for an error of the store. */
  readonly explain: (error: Watch.WatchStoreError) => FileError | UsageError
}

const notThere = (error: PlatformError.PlatformError) => error._tag === "SystemError" && error.reason === "NotFound"

const notPlain = () =>
  new PlatformError.BadArgument({ module: "FileSystem", method: "stat", description: "not a plain file" })

/** An empty file counts as missing: a watch never leaves one. */
const read = (files: FileSystem.FileSystem, file: string) =>
  Effect.filterOrFail(files.stat(file), ({ type }) => type === "File", notPlain).pipe(
    Effect.zipRight(files.readFileString(file)),
    Effect.map((text) => Option.liftPredicate(text, (text) => text.trim() !== "")),
    Effect.catchIf(notThere, () => Effect.succeedNone),
  )

const again = "Give another --state-file, or remove this one to begin anew."

export const open = (file: string): Effect.Effect<StateFile, never, FileSystem.FileSystem> =>
  Effect.map(Effect.zipLeft(FileSystem.FileSystem, WholeFile.removeAbandoned(file)), (files) => {
    const name = JSON.stringify(file)
    let isKept = false
    let trouble = Option.none<FileError>()
    const write = (text: string) =>
      WholeFile.write(file, text, 0o600).pipe(
        Effect.provideService(FileSystem.FileSystem, files),
        Effect.tapBoth({
          onFailure: (error) =>
            Effect.sync(() => {
              trouble = Option.some(new FileError({ file, reason: WholeFile.reason(error) }))
            }),
          onSuccess: () =>
            Effect.sync(() => {
              isKept = true
              trouble = Option.none()
            }),
        }),
      )
    const remove = Effect.catchIf(files.remove(file), notThere, () => Effect.void)
    return {
      store: KeyValueStore.makeStringOnly({
        get: () => read(files, file),
        set: (_, text) => write(text),
        remove: () => remove,
        clear: remove,
        size: Effect.map(read(files, file), (text) => (Option.isSome(text) ? 1 : 0)),
      }),
      trouble: () => trouble,
      isKept: () => isKept,
      explain: ({ cause, reason }) => {
        if (reason === "other")
          return new UsageError({
            message: `The state file ${name} is of another subscription, version or filter. ${again}`,
          })
        if (reason === "unreadable")
          return new UsageError({ message: `The state file ${name} was not written by vigil events watch. ${again}` })
        const why = cause === undefined ? "unknown reason" : WholeFile.reason(cause)
        return Option.getOrElse(
          trouble,
          () =>
            new UsageError({ message: `The state file ${name} can't be read (${why}). Give another --state-file.` }),
        )
      },
    }
  })

/** The state file of a watch. */
import * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import type * as Watch from "@vigil/health-client/Watch"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { FileError, UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import * as WholeFile from "../output/WholeFile.js"

/** A store with one value, for any key. */
export interface StateFile {
  readonly store: KeyValueStore.KeyValueStore
  readonly problem: () => Option.Option<FileError>
  readonly isStored: () => boolean
  /** The error of a command for an error of the store. */
  readonly explain: (error: Watch.WatchStoreError) => FileError | UsageError
}

const notPlain = () =>
  new PlatformError.BadArgument({ module: "FileSystem", method: "stat", description: "not a plain file" })

/** An empty file counts as missing: a watch never leaves one. */
const read = (files: FileSystem.FileSystem, file: string) =>
  Effect.filterOrFail(files.stat(file), ({ type }) => type === "File", notPlain).pipe(
    Effect.zipRight(files.readFileString(file)),
    Effect.map((text) => Option.liftPredicate(text, (text) => text.trim() !== "")),
    Effect.catchIf(WholeFile.isMissing, () => Effect.succeedNone),
  )

const advice = "Pass another --state-file, or remove this one to start again."

export const flag = Flag.optional(Flag.text("file"), "Store the state in this file; the next run resumes from it")

/** The state file of a subscription, one of `count`. */
export const nameFor = (file: string, subscription: string, count: number): string =>
  count === 1 ? file : `${file}.${encodeURIComponent(subscription)}`

export const open = (file: string): Effect.Effect<StateFile, never, FileSystem.FileSystem> =>
  Effect.map(Effect.zipLeft(FileSystem.FileSystem, WholeFile.removeAbandoned(file)), (files) => {
    const name = JSON.stringify(file)
    let isStored = false
    let problem = Option.none<FileError>()
    const write = (text: string) =>
      WholeFile.write(file, text, 0o600).pipe(
        Effect.provideService(FileSystem.FileSystem, files),
        Effect.tapBoth({
          onFailure: (error) =>
            Effect.sync(() => {
              problem = Option.some(new FileError({ file, reason: WholeFile.reason(error) }))
            }),
          onSuccess: () =>
            Effect.sync(() => {
              isStored = true
              problem = Option.none()
            }),
        }),
      )
    const remove = Effect.catchIf(files.remove(file), WholeFile.isMissing, () => Effect.void)
    return {
      store: KeyValueStore.makeStringOnly({
        get: () => read(files, file),
        set: (_, text) => write(text),
        remove: () => remove,
        clear: remove,
        size: Effect.map(read(files, file), (text) => (Option.isSome(text) ? 1 : 0)),
      }),
      problem: () => problem,
      isStored: () => isStored,
      explain: ({ cause, operation, reason }) => {
        if (reason === "other")
          return new UsageError(`The state file ${name} belongs to another subscription, version or filter. ${advice}`)
        if (reason === "unreadable")
          return new UsageError(`The state file ${name} is not a state file of vigil. ${advice}`)
        const why = cause === undefined ? "an event is nested too deep" : WholeFile.reason(cause)
        return new FileError({ file, reason: why, attempt: operation === "load" ? "read" : "written" })
      },
    }
  })

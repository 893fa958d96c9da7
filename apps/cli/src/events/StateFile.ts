/** The state file of a watch. */
import * as PlatformError from "effect/PlatformError"
import * as FileSystem from "effect/FileSystem"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
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
  PlatformError.badArgument({ module: "FileSystem", method: "stat", description: "not a plain file" })

/** An empty file counts as missing: a watch never leaves one. */
const read = (files: FileSystem.FileSystem, file: string) =>
  Effect.filterOrFail(files.stat(file), ({ type }) => type === "File", notPlain).pipe(
    Effect.andThen(files.readFileString(file)),
    Effect.map((text) => (text.trim() === "" ? undefined : text)),
    Effect.catchIf(WholeFile.isMissing, () => Effect.undefined),
  )

/** The message of the error is the reason. */
const failed = <A>(method: string, effect: Effect.Effect<A, PlatformError.PlatformError>) =>
  Effect.mapError(
    effect,
    (cause) => new KeyValueStore.KeyValueStoreError({ method, message: WholeFile.reason(cause), cause }),
  )

const advice = "Pass another --state-file, or remove this one to start again."

export const flag = Flag.optional(Flag.text("file"), "Store the state in this file; the next run resumes from it")

/** The state file of a subscription, one of `count`. */
export const nameFor = (file: string, subscription: string, count: number): string =>
  count === 1 ? file : `${file}.${encodeURIComponent(subscription)}`

export const open = (file: string): Effect.Effect<StateFile, never, FileSystem.FileSystem> =>
  Effect.map(Effect.tap(FileSystem.FileSystem, WholeFile.removeAbandoned(file)), (files) => {
    const name = JSON.stringify(file)
    let isStored = false
    let problem = Option.none<FileError>()
    const write = (text: string) =>
      WholeFile.write(file, text, 0o600).pipe(
        Effect.provideService(FileSystem.FileSystem, files),
        Effect.tapError((error) =>
          Effect.sync(() => {
            problem = Option.some(new FileError({ file, reason: WholeFile.reason(error) }))
          }),
        ),
        Effect.map(() => {
          isStored = true
          problem = Option.none()
        }),
      )
    const remove = Effect.catchIf(files.remove(file), WholeFile.isMissing, () => Effect.void)
    return {
      store: KeyValueStore.makeStringOnly({
        get: () => failed("get", read(files, file)),
        set: (_, text) => failed("set", write(text)),
        remove: () => failed("remove", remove),
        clear: failed("clear", remove),
        size: Effect.map(failed("size", read(files, file)), (text) => (text === undefined ? 0 : 1)),
        // A watch and a delivery do not use them.
        keys: Effect.succeed([]),
      }),
      problem: () => problem,
      isStored: () => isStored,
      explain: ({ cause, operation, reason }) => {
        if (reason === "other")
          return new UsageError(`The state file ${name} belongs to another subscription, version or filter. ${advice}`)
        if (reason === "unreadable")
          return new UsageError(`The state file ${name} is not a state file of vigil. ${advice}`)
        const why = cause === undefined ? "an event is nested too deep" : cause.message
        return new FileError({ file, reason: why, attempt: operation === "load" ? "read" : "written" })
      },
    }
  })

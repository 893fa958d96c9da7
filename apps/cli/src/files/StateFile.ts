/** The state file of a watch. */
import type * as PlatformError from "effect/PlatformError"
import * as FileSystem from "effect/FileSystem"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import type { WatchStoreError } from "@vigil/health-client/WatchStore"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as Flag from "../flags/Flag.js"
import * as WholeFile from "./WholeFile.js"
import { FileError } from "./FileError.js"
import { UsageError } from "../flags/UsageError.js"

/** A state has at most some thousand events. */
const maxBytes = 256_000_000

/** An empty file counts as missing: a watch never leaves one. */
const read = (files: FileSystem.FileSystem, file: string) =>
  WholeFile.readOwnText(file, maxBytes).pipe(
    Effect.provideService(FileSystem.FileSystem, files),
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

export const open = (file: string) =>
  Effect.map(Effect.tap(FileSystem.FileSystem, WholeFile.removeAbandoned(file)), (files) => {
    const name = JSON.stringify(file)
    let isStored = false
    let problem: FileError | undefined
    const write = (text: string) =>
      WholeFile.write(file, text, 0o600).pipe(
        Effect.provideService(FileSystem.FileSystem, files),
        Effect.tapError((error) =>
          Effect.sync(() => {
            problem = WholeFile.fileError(file)(error)
          }),
        ),
        Effect.map(() => {
          isStored = true
          problem = undefined
        }),
      )
    const remove = Effect.catchIf(files.remove(file), WholeFile.isMissing, () => Effect.void)
    const store = KeyValueStore.makeStringOnly({
      get: () => failed("get", read(files, file)),
      set: (_, text) => failed("set", write(text)),
      remove: () => failed("remove", remove),
      clear: failed("clear", remove),
      size: Effect.map(failed("size", read(files, file)), (text) => (text === undefined ? 0 : 1)),
      // A watch and a delivery do not use them.
      keys: Effect.succeed([]),
    })
    return {
      /** A store with one value, for any key. */
      store,
      problem: () => problem,
      isStored: () => isStored,
      /** The error of a command for an error of the store, or for a state that does not decode. */
      explain: (error: WatchStoreError | KeyValueStore.KeyValueStoreError | Schema.SchemaError) => {
        if (error._tag === "KeyValueStoreError")
          return new FileError({ file, reason: error.message, attempt: error.method === "get" ? "read" : "written" })
        if (error._tag === "SchemaError")
          return new UsageError(
            `The state file ${name} is not a state file of vigil, or belongs to another subscription or version. ${advice}`,
          )
        const { cause, message, operation, reason } = error
        if (reason === "tooDeep") return new UsageError(message)
        if (reason === "other")
          return new UsageError(`The state file ${name} belongs to another subscription, version or filter. ${advice}`)
        if (reason === "unreadable")
          return new UsageError(`The state file ${name} is not a state file of vigil. ${advice}`)
        const why = cause instanceof Error ? cause.message : "unavailable"
        return new FileError({ file, reason: why, attempt: operation === "load" ? "read" : "written" })
      },
    }
  })

/** The files of a watch: the state, and beside it, while changes are handled, which of them were. */
export const openWatch = Effect.fnUntraced(function* (file: string) {
  const state = yield* open(file)
  // No subscription has this ending: see `nameFor`.
  const progress = yield* open(`${file}~handled`)
  const storeOf = (key: string) => (key.endsWith("/handled") ? progress : state).store
  const store = KeyValueStore.makeStringOnly({
    ...state.store,
    get: (key) => storeOf(key).get(key),
    set: (key, text) => storeOf(key).set(key, text),
    remove: (key) => storeOf(key).remove(key),
  })
  return { ...state, store }
})

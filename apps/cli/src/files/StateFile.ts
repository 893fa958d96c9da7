/** The state file of a watch. */
import type { WatchStoreError } from "@vigil/health-client/WatchStore"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Schema from "effect/Schema"
import { basename, dirname } from "node:path"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"
import { FileError } from "./FileError.js"
import * as FileStore from "./FileStore.js"

const advice = "Pass another --state-file, or remove this one to start again."

export const flag = Flag.optional(Flag.text("file"), "Store the state in this file; the next run resumes from it")

/** The key of the states of resources, beside that of the events. Before release 0.3, `resources list` stored them in the file itself. */
export const resources = { key: "/resources", earlier: ["states"] }

/** No subscription has these endings: see `nameFor`. The longest first. */
const endings = [`${resources.key}/handled`, "/handled", resources.key]

/** The subscription of the state of a watch, which is in `list` since release 0.2. */
const Stored = Schema.fromJsonString(
  Schema.Struct({
    subscription: Schema.optionalKey(Schema.String),
    list: Schema.optionalKey(Schema.Struct({ subscription: Schema.String })),
  }),
)

/** Whether a file has the state of a subscription. */
const isStateOf = (file: string, subscription: string) =>
  FileStore.read(file).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Stored)),
    Effect.match({
      onFailure: () => false,
      onSuccess: (found) =>
        (found.list?.subscription ?? found.subscription)?.toLowerCase() === subscription.toLowerCase(),
    }),
  )

/**
 * The state file of a subscription, one of `count`. Of several, each has its own, also if its ID is written in another case, except for the one that an
 * earlier run watched alone: its state stays in `file`.
 */
export const nameFor = Effect.fnUntraced(function* (file: string, subscription: string, count: number) {
  if (count === 1) return file
  const own = `${file}.${encodeURIComponent(subscription)}`
  const files = yield* FileSystem.FileSystem
  const places = (name: string) => [name, `${name}~resources`]
  const has = (name: string) => Effect.orElseSucceed(files.exists(name), () => false)
  if ((yield* Effect.forEach(places(own), has)).includes(true)) return own
  const name = basename(own)
  const isOwn = (other: string) => places(name).some((place) => place.toLowerCase() === other.toLowerCase())
  const other = (yield* Effect.orElseSucceed(files.readDirectory(dirname(own)), () => [])).find(isOwn)
  if (other !== undefined) return own.slice(0, -name.length) + other.slice(0, name.length)
  const isFirst = yield* Effect.forEach(places(file), (name) => isStateOf(name, subscription))
  return isFirst.includes(true) ? file : own
})

/** The files of a watch: the state, and beside it the states of resources, and while changes are handled, which of them were. */
export const open = Effect.fnUntraced(function* (file: string) {
  const isProgress = (key: string) => key.endsWith("/handled")
  const files = yield* FileStore.make(["", ...endings], (key) => {
    const ending = endings.find((one) => key.endsWith(one))
    return ending === undefined ? file : `${file}${ending.replaceAll("/", "~")}`
  })
  const name = JSON.stringify(file)
  let isStored = false
  let problem: FileError | undefined
  const settle = (found: FileError | undefined) =>
    Effect.sync(() => {
      problem = found
      isStored ||= found === undefined
    })
  const set = (key: string, text: string) =>
    isProgress(key)
      ? files.set(key, text)
      : files.set(key, text).pipe(
          Effect.tap(settle(undefined)),
          Effect.tapError(({ message }) => settle(new FileError({ file, reason: message }))),
        )
  return {
    store: KeyValueStore.makeStringOnly({ ...files, set }),
    problem: () => problem,
    isStored: () => isStored,
    /** The error of a command for an error of the store. */
    explain: (error: WatchStoreError | KeyValueStore.KeyValueStoreError) => {
      if (error._tag === "KeyValueStoreError")
        return new FileError({ file, reason: error.message, attempt: error.method === "get" ? "read" : "written" })
      const { cause, message, operation, reason } = error
      if (reason === "tooDeep") return new UsageError(message)
      if (reason === "other")
        return new UsageError(`The state file ${name} belongs to another subscription or filter. ${advice}`)
      if (reason === "unreadable")
        return new UsageError(`The state file ${name} is not a state file of vigil. ${advice}`)
      const why = cause instanceof Error ? cause.message : "unavailable"
      return new FileError({ file, reason: why, attempt: operation === "load" ? "read" : "written" })
    },
  }
})

/** The state file of a watch. */
import type { WatchStoreError } from "@vigil/health-client/WatchStore"
import * as Effect from "effect/Effect"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"
import { FileError } from "./FileError.js"
import * as FileStore from "./FileStore.js"

const advice = "Pass another --state-file, or remove this one to start again."

export const flag = Flag.optional(Flag.text("file"), "Store the state in this file; the next run resumes from it")

/** The state file of a subscription, one of `count`. */
export const nameFor = (file: string, subscription: string, count: number): string =>
  count === 1 ? file : `${file}.${encodeURIComponent(subscription)}`

/** The key of the states of resources, beside that of the events. Before release 0.3, `resources list` stored them in the file itself. */
export const resources = { key: "/resources", earlier: ["states"] }

/** No subscription has these endings: see `nameFor`. The longest first. */
const endings = [`${resources.key}/handled`, "/handled", resources.key]

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

/** The files of notifications: one per sink, beside the state file of a watch. */
import { basename, dirname } from "node:path"
import * as Delivery from "@vigil/notify/Delivery"
import type { DeliveryStoreError } from "@vigil/notify/DeliveryStoreError"
import type * as Routes from "@vigil/notify/Routes"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { FileError } from "../../files/FileError.js"
import * as FileStore from "../../files/FileStore.js"
import { UsageError } from "../../flags/UsageError.js"

type Explain = (error: DeliveryStoreError) => FileError | UsageError

/** The name of a file is that of the state file, and the name of the sink. */
export const open = Effect.fnUntraced(function* (stateFile: string, { sinks }: Routes.Routes) {
  const prefix = `${stateFile}.notifications.`
  const found = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.readDirectory(dirname(prefix))).pipe(
    Effect.orElseSucceed(() => []),
  )
  // Files of sinks that were renamed may have notifications. A file that ends in `.part` is not complete.
  const others = found.filter((name) => name.startsWith(basename(prefix)) && !name.endsWith(".part"))
  const names = new Set([...Object.keys(sinks), ...others.map((name) => name.slice(basename(prefix).length))])
  const pathOf = (key: string) => prefix + key.slice("delivery/".length)
  const store = yield* FileStore.make(
    [...names].map((name) => `delivery/${name}`),
    pathOf,
  )
  const explain: Explain = ({ cause, key, message, operation, reason }) => {
    const file = pathOf(key)
    if (reason === "unreadable")
      return new UsageError(
        `The file ${JSON.stringify(file)} is not a state file of vigil. Pass another --state-file, or remove this one to start again.`,
      )
    return cause === undefined
      ? new UsageError(message)
      : new FileError({ file, reason: cause.message, attempt: operation === "load" ? "read" : "written" })
  }
  return { explain, store }
})

export const makeDelivery = (options: Delivery.Options, explain: Explain) =>
  Effect.mapError(Delivery.make(options), (error) =>
    error._tag === "DeliveryStoreError" ? explain(error) : new UsageError(error.message),
  )

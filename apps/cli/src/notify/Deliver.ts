/** Delivers the changes of a watch to the sinks of routes. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as Delivery from "@vigil/notify/Delivery"
import * as Notification from "@vigil/notify/Notification"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as StateFile from "../events/StateFile.js"
import type { Change } from "../events/WatchRun.js"
import { Incomplete, UsageError } from "../Failure.js"
import * as Output from "../output/Output.js"
import * as TerminalText from "../output/TerminalText.js"
import * as RoutesFile from "./RoutesFile.js"

/** One file per key: the state file's name, and the name of the sink. */
const storeBeside = (stateFile: string) =>
  Effect.map(FileSystem.FileSystem, (files) => {
    const open = (key: string) =>
      Effect.provideService(
        StateFile.open(`${stateFile}.notifications.${key.split("/").at(-1)}`),
        FileSystem.FileSystem,
        files,
      )
    return KeyValueStore.makeStringOnly({
      get: (key) => Effect.flatMap(open(key), ({ store }) => store.get(key)),
      set: (key, text) => Effect.flatMap(open(key), ({ store }) => store.set(key, text)),
      remove: (key) => Effect.flatMap(open(key), ({ store }) => store.remove(key)),
      // A delivery uses neither.
      clear: Effect.void,
      size: Effect.succeed(0),
    })
  })

interface Deliver {
  readonly change: (change: Change, subscription: string) => Effect.Effect<void, UsageError>
  /** Waits for the notifications of `--once`. Fails if some were not delivered. */
  readonly end: Effect.Effect<void, Incomplete>
}

const toUsageError = ({ message }: { readonly message: string }) => new UsageError(message)

const describe = ({ deadLettered, lastError, pending, sink }: Delivery.SinkStatus): string =>
  TerminalText.line(
    `vigil: the sink ${sink} fails: ${lastError?.message ?? "unknown reason"} ${pending} waiting, ${deadLettered} given up.`,
  )

/** Notes the failures of sinks, at most once a minute each. */
const noteFailures = ({ status }: Delivery.Service) => {
  const noted = new Map<string, string>()
  return Effect.flatMap(status, (all) =>
    Effect.forEach(
      all.filter(({ lastError, sink }) => lastError !== undefined && noted.get(sink) !== lastError.at),
      (failed) => {
        noted.set(failed.sink, failed.lastError?.at ?? "")
        return Output.note(describe(failed))
      },
      { discard: true },
    ),
  )
}

/** Ends with its scope: due notifications are then sent for at most ten seconds. */
export const make = (file: string, stateFile: Option.Option<string>) =>
  Effect.gen(function* () {
    const routes = yield* RoutesFile.read(file)
    const sinks = yield* RoutesFile.sinks(routes)
    const store = yield* Effect.transposeMapOption(stateFile, storeBeside)
    const delivery = yield* Effect.mapError(
      Delivery.make({ sinks, routes, store: Option.getOrUndefined(store) }),
      toUsageError,
    )
    const note = noteFailures(delivery)
    yield* Effect.forkScoped(Effect.repeat(note, Schedule.spaced("1 minute")))
    return {
      change: (change, subscription) =>
        Effect.mapError(delivery.deliver(Notification.fromChange(change, { subscription })), toUsageError),
      end: Effect.gen(function* () {
        yield* delivery.flush
        const failed = (yield* delivery.status).filter(
          ({ deadLettered, lastError }) => deadLettered > 0 || lastError !== undefined,
        )
        const [first] = failed
        if (first !== undefined) yield* new Incomplete({ message: failed.map(describe).join(" ") })
      }),
    } satisfies Deliver
  })

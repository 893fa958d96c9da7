/** Delivers the changes of a watch to the sinks of routes. */
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as Delivery from "@vigil/notify/Delivery"
import type { DeliveryStoreError } from "@vigil/notify/DeliveryStoreError"
import * as Notification from "@vigil/notify/Notification"
import type { Sink } from "@vigil/notify/Sink"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as StateFile from "../events/StateFile.js"
import type { Change } from "../events/WatchRun.js"
import { FileError, Incomplete, UsageError } from "../Failure.js"
import * as Output from "../output/Output.js"
import * as TerminalText from "../output/TerminalText.js"
import * as WholeFile from "../output/WholeFile.js"
import * as RoutesFile from "./RoutesFile.js"

/** One file per sink: the state file's name, and the name of the sink. */
const openFiles = (stateFile: string, sinks: ReadonlyArray<Sink>) =>
  Effect.map(
    Effect.forEach(sinks, ({ name }) => {
      const path = `${stateFile}.notifications.${name}`
      return Effect.map(StateFile.open(path), (file) => [`delivery/${name}`, { path, ...file }] as const)
    }),
    (files): ReadonlyMap<string, StateFile.StateFile & { readonly path: string }> => new Map(files),
  )

type Files = Effect.Effect.Success<ReturnType<typeof openFiles>>

const toStore = (files: Files): KeyValueStore.KeyValueStore => {
  const storeOf = (key: string) => Effect.map(Effect.orDie(Effect.fromNullable(files.get(key))), ({ store }) => store)
  return KeyValueStore.makeStringOnly({
    get: (key) => Effect.flatMap(storeOf(key), (store) => store.get(key)),
    set: (key, text) => Effect.flatMap(storeOf(key), (store) => store.set(key, text)),
    remove: (key) => Effect.flatMap(storeOf(key), (store) => store.remove(key)),
    // A delivery uses neither.
    clear: Effect.void,
    size: Effect.succeed(0),
  })
}

/** The error of a command for an error of the store. */
const explain = (
  files: Files | undefined,
  attempt: "read" | "written",
  { cause, key, message, reason }: DeliveryStoreError,
): FileError | UsageError => {
  const file = files?.get(key)?.path ?? key
  if (reason === "unreadable")
    return new UsageError(
      `The file ${JSON.stringify(file)} was not written by vigil events watch. Pass another --state-file, or remove this one to start again.`,
    )
  return cause === undefined
    ? new UsageError(message)
    : new FileError({ file, reason: WholeFile.reason(cause), attempt })
}

interface Deliver {
  /** Completes when the change is stored for its sinks. */
  readonly change: (change: Change, subscription: string) => Effect.Effect<void, FileError | UsageError>
  /** What happened to the notifications of each sink. */
  readonly status: Delivery.Service["status"]
  /** Waits for the notifications of `--once`. Fails if some were not delivered. */
  readonly end: Effect.Effect<void, Incomplete>
}

const describe = ({ deadLettered, lastError, pending, sink }: Delivery.SinkStatus): string =>
  TerminalText.line(
    `Could not notify ${sink}: ${lastError === undefined ? "" : `${lastError.message} `}${pending} waiting, ${deadLettered} given up.`,
  )

/** Notes the failures of sinks, at most once a minute each. */
const noteFailures = ({ status }: Delivery.Service) => {
  const noted = new Map<string, string>()
  return Effect.flatMap(status, (all) =>
    Effect.forEach(
      all.filter(({ lastError, sink }) => lastError !== undefined && noted.get(sink) !== lastError.at),
      (failed) => {
        noted.set(failed.sink, failed.lastError?.at ?? "")
        return Output.note(`vigil: ${describe(failed)}`)
      },
      { discard: true },
    ),
  )
}

export interface Options {
  readonly routes: string
  readonly stateFile: Option.Option<string>
  /** The time between polls, and between attempts to store a notification. */
  readonly every: Duration.Duration
  /** Whether a change fails if it cannot be stored. Otherwise, it is stored later. */
  readonly once: boolean
}

/** Ends with its scope: due notifications are then sent for at most ten seconds. */
export const make = ({ every, once, routes: file, stateFile }: Options) =>
  Effect.gen(function* () {
    const output = yield* Output.Output
    const routes = yield* RoutesFile.read(file)
    const sinks = yield* RoutesFile.sinks(routes)
    const files = Option.getOrUndefined(yield* Effect.transposeMapOption(stateFile, (path) => openFiles(path, sinks)))
    const delivery = yield* Effect.mapError(Delivery.make({ sinks, routes, store: files && toStore(files) }), (error) =>
      error._tag === "DeliveryStoreError" ? explain(files, "read", error) : new UsageError(error.message),
    )
    const isTemporary = ({ retryable }: DeliveryStoreError) => !once && retryable
    const noteRetry = (error: DeliveryStoreError) =>
      output.note(
        `vigil: ${explain(files, "written", error).message} The next attempt is in ${Duration.format(every)}.`,
      )
    const note = noteFailures(delivery)
    yield* Effect.forkScoped(Effect.repeat(note, Schedule.spaced("1 minute")))
    return {
      status: delivery.status,
      change: (change, subscription) => {
        const notification = Notification.fromChange(change, { subscription })
        // A first poll finds many events that are over.
        if (change._tag === "Appeared" && notification.state === "resolved") return Effect.void
        return delivery.deliver(notification).pipe(
          Effect.tapError((error) => (isTemporary(error) ? noteRetry(error) : Effect.void)),
          Effect.retry({ while: isTemporary, schedule: Schedule.spaced(every) }),
          Effect.mapError((error) => explain(files, "written", error)),
        )
      },
      end: Effect.gen(function* () {
        yield* delivery.flush
        const failed = (yield* delivery.status).filter(({ deadLettered, retrying }) => deadLettered > 0 || retrying > 0)
        const [first] = failed
        if (first !== undefined) yield* new Incomplete({ message: failed.map(describe).join(" ") })
      }),
    } satisfies Deliver
  })

/** `vigil events watch`: prints the changes of a subscription's events. */
import type * as PlatformError from "@effect/platform/Error"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as HealthClient from "@vigil/health-client/HealthClient"
import * as HealthWatch from "@vigil/health-client/Watch"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Command from "../Command.js"
import * as Failure from "../Failure.js"
import * as Flag from "../Flag.js"
import { Output, type Service } from "../output/Output.js"
import * as Connection from "../settings/Connection.js"
import * as DeliveredState from "./DeliveredState.js"
import * as Polling from "./Polling.js"
import * as Source from "./Source.js"
import * as StateFile from "./StateFile.js"
import * as Time from "./Time.js"
import * as WatchLine from "./WatchLine.js"

const printers = { lines: WatchLine.line, jsonl: WatchLine.json }

/** Notes that the state was not stored, unless that is the error of the command. */
const noteProblem = (
  { note }: Service,
  problem: Option.Option<Failure.FileError>,
  cause: Cause.Cause<Failure.Failure>,
): Effect.Effect<void> =>
  Option.isNone(problem) || Option.exists(Cause.failureOption(cause), ({ _tag }) => _tag === "FileError")
    ? Effect.void
    : note(`vigil: ${problem.value.message} The next run repeats the last changes of this run.`)

/** The output and the store, which is rolled back if the reader of stdout is gone. */
const deliver = (output: Service, { store }: StateFile.StateFile) => {
  // The file stores one value for any key.
  const key = "state"
  const state = DeliveredState.make<string, PlatformError.PlatformError>(
    output,
    Option.match({ onNone: () => store.remove(key), onSome: (text) => store.set(key, text) }),
  )
  return {
    data: state.data,
    store: KeyValueStore.makeStringOnly({
      ...store,
      get: () => Effect.tap(store.get(key), state.start),
      set: (_, text) => state.save(text),
    }),
  }
}

/** The notes replace the warnings that a watch logs. With a lower log level, both are printed. */
const withoutWarnings = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(FiberRef.get(FiberRef.currentMinimumLogLevel), (level) =>
    LogLevel.lessThan(level, LogLevel.Info) ? effect : Logger.withMinimumLogLevel(effect, LogLevel.Error),
  )

export const command = Command.make({
  name: "watch",
  description:
    "Watch the health events of a subscription. Prints a line for each event that appears, changes, is resolved, is reopened or disappears.",
  examples: [
    "vigil events watch --sandbox --every 10m",
    "vigil events watch --sandbox --once --lookback 12h --output jsonl",
  ],
  flags: {
    ...Connection.flags,
    subscription: Source.subscription,
    every: Polling.every,
    lookback: Flag.withDefault(Time.duration("365 days"), "3d", "Start of the first poll, and overlap of later polls"),
    stateFile: Flag.optional(Flag.text("file"), "Store the state in this file; the next run resumes from it"),
    once: Flag.boolean("Poll once and exit, as for cron"),
    filter: Source.filter,
    apiVersion: Source.apiVersion,
    output: Flag.withDefault(Flag.oneOf(["lines", "jsonl"], "format"), "lines", "lines or jsonl", "o"),
  },
  run: function* ({ apiVersion, every, lookback, once, output: format, ...flags }) {
    const connection = yield* Connection.health(flags)
    const subscription = yield* Source.subscriptionOf(connection, flags.subscription)
    const output = yield* Output
    const file = yield* Effect.transposeMapOption(flags.stateFile, StateFile.open)
    const { data, store } = Option.match(file, {
      onNone: () => ({ data: output.data, store: undefined }),
      onSome: (file) => deliver(output, file),
    })
    const explainError = (error: HealthWatch.WatchError | Failure.FileError | Failure.UsageError) =>
      error._tag === "WatchStoreError"
        ? Option.match(file, {
            onNone: () => new Failure.UsageError(error.message),
            onSome: ({ explain }) => explain(error),
          })
        : error

    const changes = HealthWatch.watch(subscription, {
      apiVersion,
      lookback,
      filter: Option.getOrUndefined(flags.filter),
      store,
      schedule: once ? Schedule.recurs(0) : Polling.schedule(output, every),
      onInvalid: Polling.noteInvalid(output),
      onFailure: once
        ? undefined
        : (error: HealthWatch.WatchError) => {
            // A file that was never written is a configuration error. Otherwise, the next write may succeed.
            const isMistake = error._tag === "WatchStoreError" && !Option.exists(file, ({ isStored }) => isStored())
            const failure = explainError(error)
            return isMistake || Polling.isLasting(failure)
              ? Effect.fail(failure)
              : Polling.noteFailure(output, every, failure)
          },
    }).pipe(Stream.provideService(HealthClient.HealthClient, connection.client))
    // Pulling the next change marks this one as delivered.
    yield* Stream.runForEach(changes, (change) =>
      Effect.flatMap(DateTime.now, (now) => data([printers[format](change, now)])),
    ).pipe(
      Effect.mapError((error) => (error._tag === "OutputError" ? error : explainError(error))),
      Effect.onError((cause) =>
        noteProblem(
          output,
          Option.flatMap(file, ({ problem }) => problem()),
          cause,
        ),
      ),
      Effect.ensuring(output.status(undefined)),
      withoutWarnings,
    )
  },
})

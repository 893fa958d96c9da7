/** `vigil events watch`: prints the changes of a subscription's events. */
import type * as PlatformError from "@effect/platform/Error"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as HealthClient from "@vigil/health-client/HealthClient"
import type { InvalidEvent } from "@vigil/health-client/InvalidEvent"
import * as HealthWatch from "@vigil/health-client/Watch"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
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
import * as Source from "./Source.js"
import * as StateFile from "./StateFile.js"
import * as Time from "./Time.js"
import * as WatchLine from "./WatchLine.js"

const printers = { lines: WatchLine.line, jsonl: WatchLine.json }

/** The next poll would fail with the same error. */
const isLasting = (error: Failure.Failure): boolean =>
  ["Unauthorized", "Forbidden", "NotFound", "CredentialError", "LengthRequired"].includes(error._tag) ||
  (error._tag === "ServiceError" && error.status < 500 && error.status !== 408)

const noteFailure = ({ note }: Service, every: Duration.Duration, error: Failure.Failure): Effect.Effect<void> =>
  note(
    `vigil: A reading failed, the next one is in ${Duration.format(every)}. ${Failure.report(Cause.fail(error)).sentence ?? ""}`,
  )

/** Notes each reason once: every poll finds the same invalid entries. */
const tolerate = ({ note }: Service) => {
  const said = new Set<string>()
  return ({ path, reason }: InvalidEvent): Effect.Effect<void> => {
    const what = `${path === "" ? "it" : path} ${reason}`
    if (said.has(what)) return Effect.void
    said.add(what)
    return note(`vigil: an entry of the list is no event: ${what}`)
  }
}

/** Notes that the state was not stored, unless that is the error of the command. */
const noteTrouble = (
  { note }: Service,
  trouble: Option.Option<Failure.FileError>,
  cause: Cause.Cause<Failure.Failure>,
): Effect.Effect<void> =>
  Option.isNone(trouble) || Option.exists(Cause.failureOption(cause), ({ _tag }) => _tag === "FileError")
    ? Effect.void
    : note(`vigil: ${trouble.value.message} The next run tells again what this one told last.`)

/** The output and the store, which is rolled back if the reader of stdout is gone. */
const deliver = (output: Service, { store }: StateFile.StateFile) => {
  // The file holds one text, whatever the key.
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

const readings = ({ status }: Service, every: Duration.Duration): Schedule.Schedule<unknown> =>
  Schedule.tapOutput(Schedule.spaced(every), () =>
    Effect.flatMap(DateTime.now, (now) =>
      status(`Next reading at ${DateTime.formatIso(DateTime.addDuration(now, every)).slice(11, 19)} UTC`),
    ),
  )

export const command = Command.make({
  name: "watch",
  description:
    "Watch the health events of a subscription. Prints a line for each that appears, changes, is resolved, is reopened or disappears.",
  examples: [
    "vigil events watch --sandbox --every 10m",
    "vigil events watch --sandbox --once --lookback 12h --output jsonl",
  ],
  flags: {
    ...Connection.flags,
    subscription: Source.subscription,
    every: Flag.withDefault(Time.duration("7 days"), "5m", "How long to wait between polls"),
    lookback: Flag.withDefault(
      Time.duration("365 days"),
      "3d",
      "How far the first poll reaches back, and how far later ones overlap",
    ),
    stateFile: Flag.optional(Flag.text("file"), "Keep the state in this file; the next run resumes there"),
    once: Flag.boolean("Poll once and exit, as for cron"),
    filter: Source.filter,
    apiVersion: Source.apiVersion,
    output: Flag.withDefault(Flag.oneOf(["lines", "jsonl"]), "lines", "Lines for people, or JSON in full", "o"),
  },
  run: ({ apiVersion, every, lookback, once, output: format, ...flags }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* Connection.health(flags)
        const subscription = yield* Source.subscriptionOf(connection, flags.subscription)
        const output = yield* Output
        const file = yield* Effect.transposeMapOption(flags.stateFile, StateFile.open)
        const { data, store } = Option.match(file, {
          onNone: () => ({ data: output.data, store: undefined }),
          onSome: (file) => deliver(output, file),
        })
        const known = (error: HealthWatch.WatchError | Failure.FileError | Failure.UsageError) =>
          error._tag === "WatchStoreError"
            ? Option.match(file, {
                onNone: () => new Failure.UsageError(error),
                onSome: ({ explain }) => explain(error),
              })
            : error

        const changes = HealthWatch.watch(subscription, {
          apiVersion,
          lookback,
          filter: Option.getOrUndefined(flags.filter),
          store,
          schedule: once ? Schedule.recurs(0) : readings(output, every),
          onInvalid: tolerate(output),
          onFailure: once
            ? undefined
            : (error: HealthWatch.WatchError) => {
                // A file that never could be written is a mistake; one that can't be any more may be again.
                const isMistake = error._tag === "WatchStoreError" && !Option.exists(file, ({ isKept }) => isKept())
                const failure = known(error)
                return isMistake || isLasting(failure) ? Effect.fail(failure) : noteFailure(output, every, failure)
              },
        }).pipe(Stream.provideService(HealthClient.HealthClient, connection.client))
        // The next change is asked for when this one is taken: only then it counts as told.
        yield* Stream.runForEach(changes, (change) =>
          Effect.flatMap(DateTime.now, (now) => data([printers[format](change, now)])),
        ).pipe(
          Effect.mapError((error) => (error._tag === "OutputError" ? error : known(error))),
          Effect.onError((cause) =>
            noteTrouble(
              output,
              Option.flatMap(file, ({ trouble }) => trouble()),
              cause,
            ),
          ),
          Effect.ensuring(output.status(undefined)),
          withoutWarnings,
        )
      }),
    ),
})

/** `vigil events watch`: what happens to the events of a subscription, told as it happens. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as PlatformError from "@effect/platform/Error"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as HealthClient from "@vigil/health-client/HealthClient"
import type { InvalidEvent } from "@vigil/health-client/InvalidEvent"
import * as HealthWatch from "@vigil/health-client/Watch"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.js"
import { Output, type Service } from "../output/Output.js"
import * as Connection from "../settings/Connection.js"
import * as DeliveredState from "./DeliveredState.js"
import * as Source from "./Source.js"
import * as Span from "./Span.js"
import * as StateFile from "./StateFile.js"
import * as WatchLine from "./WatchLine.js"

/** How a change is printed. */
const printers = { lines: WatchLine.line, jsonl: WatchLine.json }

/** What the next reading would fail with again. */
const isLasting = (error: Failure.Failure): boolean =>
  ["Unauthorized", "Forbidden", "NotFound", "CredentialError", "LengthRequired"].includes(error._tag) ||
  (error._tag === "ServiceError" && error.status < 500 && error.status !== 408)

/** Says that a reading failed. */
const noteFailure = ({ note }: Service, every: string, error: Failure.Failure): Effect.Effect<void> =>
  note(`vigil: A reading failed, the next one is in ${every}. ${Failure.report(Cause.fail(error)).sentence ?? ""}`)

/** Says of entries that are no events, once for each reason: every reading has them again. */
const tolerate = ({ note }: Service) => {
  const said = new Set<string>()
  return ({ path, reason }: InvalidEvent): Effect.Effect<void> => {
    const what = `${path === "" ? "it" : path} ${reason}`
    if (said.has(what)) return Effect.void
    said.add(what)
    return note(`vigil: an entry of the list is no event: ${what}`)
  }
}

/** Says that the state could not be kept at the end, unless that is what the watch ends of. */
const noteTrouble = (
  { note }: Service,
  trouble: Option.Option<Failure.FileError>,
  cause: Cause.Cause<Failure.Failure>,
): Effect.Effect<void> =>
  Option.isNone(trouble) || Option.exists(Cause.failureOption(cause), ({ _tag }) => _tag === "FileError")
    ? Effect.void
    : note(`vigil: ${trouble.value.message} The next run tells again what this one told last.`)

/** The output of a watch, and its store, which is rolled back when the reader of the output is gone. */
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

/** What a watch logs as a warning is said by then. Who asked for more than warnings sees them all. */
const withoutWarnings = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(FiberRef.get(FiberRef.currentMinimumLogLevel), (level) =>
    LogLevel.lessThan(level, LogLevel.Info) ? effect : Logger.withMinimumLogLevel(effect, LogLevel.Error),
  )

/** The readings after the first; on a terminal it is said when the next one is. */
const readings = ({ status }: Service, every: Duration.Duration): Schedule.Schedule<unknown> =>
  Schedule.tapOutput(Schedule.spaced(every), () =>
    Effect.flatMap(DateTime.now, (now) =>
      status(`Next reading at ${DateTime.formatIso(DateTime.addDuration(now, every)).slice(11, 19)} UTC`),
    ),
  )

/** The command. */
export const command = Command.make(
  "watch",
  {
    ...Connection.flags,
    subscription: Source.subscription,
    every: Options.text("every").pipe(
      Options.withDescription("How long to wait between readings, such as 30s or 10m. Default: 5m."),
      Options.withPseudoName("time"),
      Options.withDefault("5m"),
    ),
    lookback: Options.text("lookback").pipe(
      Options.withDescription(
        "How far the first reading, and each later one before the one before it, reaches back. Default: 3d.",
      ),
      Options.withPseudoName("time"),
      Options.withDefault("3d"),
    ),
    stateFile: Options.text("state-file").pipe(
      Options.withDescription("Where to keep what was told: the next run goes on from there."),
      Options.withPseudoName("file"),
      Options.optional,
    ),
    once: Options.boolean("once").pipe(Options.withDescription("Read once and end, as for cron.")),
    filter: Source.filter,
    apiVersion: Source.apiVersion,
    output: Options.choice("output", ["lines", "jsonl"]).pipe(
      Options.withAlias("o"),
      Options.withDescription(
        "How a change is printed: as a line for people, or as JSON that holds all of it. Default: lines.",
      ),
      Options.withDefault("lines"),
    ),
  },
  ({ apiVersion, once, output: format, ...flags }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const every = yield* Span.parse("--every", flags.every, "7 days")
        const lookback = yield* Span.parse("--lookback", flags.lookback, "365 days")
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
                return isMistake || isLasting(failure)
                  ? Effect.fail(failure)
                  : noteFailure(output, flags.every, failure)
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
).pipe(
  Command.withDescription(
    "Watch the health events of a subscription, and print a line for each that appears, changes, is resolved, comes back or disappears.",
  ),
)

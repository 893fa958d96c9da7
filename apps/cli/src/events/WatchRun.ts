/** The watch of one subscription: its state, its failures and its output. */
import type { Filter } from "@vigil/health-client/Filter"
import * as HealthClient from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as HealthWatch from "@vigil/health-client/Watch"
import * as WatchStore from "@vigil/health-client/WatchStore"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Failure from "../Failure.js"
import { Output, type Service } from "../output/Output.js"
import type { Change } from "./AnyEvent.js"
import * as DeliveredState from "./DeliveredState.js"
import * as Polling from "./Polling.js"
import * as StateFile from "./StateFile.js"

export interface Options {
  readonly client: HealthClient.Service
  readonly subscription: SubscriptionId
  /** The subscription, if there are several: it starts the notes. */
  readonly subject: string | undefined
  readonly apiVersion: ApiVersion.ApiVersion
  readonly lookback: Duration.Duration
  readonly filter: Filter | undefined
  readonly every: Duration.Duration
  readonly once: boolean
  readonly stateFile: string | undefined
  readonly print: (change: Change, now: DateTime.Utc) => string
  /** Runs after a change is printed, and before it counts as delivered. */
  readonly onChange: (change: Change) => Effect.Effect<void, Failure.FileError | Failure.UsageError>
}

/** Notes that the state was not stored, unless that is the error of the command. */
const noteProblem = (
  { note }: Service,
  problem: Failure.FileError | undefined,
  cause: Cause.Cause<Failure.Failure>,
): Effect.Effect<void> =>
  problem === undefined || Option.exists(Cause.findErrorOption(cause), ({ _tag }) => _tag === "FileError")
    ? Effect.void
    : note(`vigil: ${problem.message} The next run repeats the last changes of this run.`)

/** The output and the store, which is rolled back if the reader of stdout is gone. */
const connect = (output: Service, { states }: StateFile.StateFile) => {
  const { data, restore, save, start } = DeliveredState.make(output, (text?: string) =>
    text === undefined ? states.remove : states.save(text),
  )
  return { data, restore, states: { load: Effect.tap(states.load, (text) => Effect.sync(() => start(text))), save } }
}

export const make = Effect.fnUntraced(function* (options: Options) {
  const { apiVersion, client, every, lookback, once, print, subject, subscription } = options
  const output = yield* Output
  const file = options.stateFile === undefined ? undefined : yield* StateFile.open(options.stateFile)
  const { data, restore, states } = file
    ? connect(output, file)
    : { data: output.data, restore: Effect.void, states: yield* WatchStore.makeMemory }
  const explainError = (error: HealthWatch.WatchError | Failure.FileError | Failure.UsageError) =>
    error._tag === "WatchStoreError" ? (file?.explain(error) ?? new Failure.UsageError(error.message)) : error

  const outcomes = Polling.outcomes(output, every, subject)
  let hasFailed = false
  let hasSucceeded = false
  const onEnd = Effect.suspend(() => {
    const isSuccess = !hasFailed
    hasFailed = false
    hasSucceeded ||= isSuccess
    return isSuccess ? outcomes.succeed : Effect.void
  })
  const noteInvalid = Polling.noteInvalid(output, subject)
  const onFailure = (error: HealthWatch.WatchError) => {
    if (error._tag === "InvalidEvent") return noteInvalid(error)
    // A file that was never written is a configuration error. Otherwise, the next write may succeed.
    const isMistake = error._tag === "WatchStoreError" && file?.isStored() !== true
    const failure = explainError(error)
    hasFailed = true
    return once || isMistake || Polling.isLasting(failure, hasSucceeded) ? Effect.fail(failure) : outcomes.fail(failure)
  }
  const onChange = (change: Change) =>
    Effect.flatMap(DateTime.now, (now) => Effect.andThen(data([print(change, now)]), options.onChange(change)))
  const run = HealthWatch.run(subscription, onChange, {
    apiVersion,
    lookback,
    filter: options.filter,
    schedule: once ? Schedule.recurs(0) : Polling.schedule(output, every, onEnd),
    onFailure,
  }).pipe(
    Effect.provideService(HealthClient.HealthClient, client),
    Effect.provideService(WatchStore.WatchStore, states),
    Effect.mapError((error) => (error._tag === "WatchStoreError" ? explainError(error) : error)),
    Effect.onError((cause) => noteProblem(output, file?.problem(), cause)),
  )
  /** `restore` marks what the reader of stdout may not have read as not delivered. */
  return { subject, run, restore }
})

export type WatchRun = Effect.Success<ReturnType<typeof make>>

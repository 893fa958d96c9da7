/** What commands that watch subscriptions share: a feed with a state file per subscription, and one that fails and does not end the others. */
import * as Feed from "@vigil/health-client/Feed"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import { WatchStoreError } from "@vigil/health-client/WatchStore"
import type * as Duration from "effect/Duration"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import { CommandError } from "../command/CommandError.js"
import * as Defect from "../output/Defect.js"
import * as Failure from "../command/Failure.js"
import type { FileError } from "../files/FileError.js"
import * as StateFile from "../files/StateFile.js"
import { UsageError } from "../flags/UsageError.js"
import { notePrefix, Output, type OutputError, type Service } from "../output/Output.js"
import * as DeliveredState from "../lists/DeliveredState.js"
import * as Polling from "./Polling.js"

type Texts = ReadonlyMap<string, string>

/** The state files, and an output that rolls them back if the reader of stdout is gone. Without a file, the state is in memory. */
const openState = Effect.fnUntraced(function* (output: Service, name: string | undefined) {
  if (name === undefined) {
    const store = yield* Effect.provide(KeyValueStore.KeyValueStore, KeyValueStore.layerMemory)
    return { data: output.data, restore: Effect.void, store, file: undefined }
  }
  const file = yield* StateFile.open(name)
  const { get, remove, set } = file.store
  let current: Texts = new Map()
  const replace = (next: Texts = new Map()) =>
    Effect.map(
      Effect.forEach(new Set([...current.keys(), ...next.keys()]), (key) => {
        const text = next.get(key)
        if (text === current.get(key)) return Effect.void
        return text === undefined ? remove(key) : set(key, text)
      }),
      () => void (current = next),
    )
  const { data, restore, save, start } = DeliveredState.make(output, replace)
  const store: KeyValueStore.KeyValueStore = {
    ...file.store,
    get: (key) =>
      Effect.tap(get(key), (text) =>
        Effect.sync(() => {
          if (text !== undefined) current = new Map(current).set(key, text)
          start(current)
        }),
      ),
    set: (key, text) => Effect.suspend(() => save(new Map(current).set(key, String(text)))),
    remove: (key) => Effect.suspend(() => save(new Map([...current].filter(([other]) => other !== key)))),
  }
  return { data, restore, store, file }
})

/** Notes that the state was not stored, unless that is the error of the command. */
const noteProblem = (
  { note }: Service,
  problem: FileError | undefined,
  cause: Cause.Cause<Failure.Failure>,
): Effect.Effect<void> =>
  problem === undefined || Option.exists(Cause.findErrorOption(cause), ({ _tag }) => _tag === "FileError")
    ? Effect.void
    : note(`vigil: ${problem.message} The next run repeats the last changes of this run.`)

/** What a watch follows. `E`: why a poll fails. */
export interface Options<State, Change, E extends Failure.Failure, R, E1 extends Failure.Failure, R1> {
  readonly feed: Feed.Feed<State, Change, E | WatchStoreError, R>
  /** Where its state is in the files of a subscription. */
  readonly place: { readonly key: string; readonly earlier?: ReadonlyArray<string> }
  readonly subscription: SubscriptionId
  /** How many subscriptions are watched. With several, each has a state file and a `subject`. */
  readonly count: number
  readonly subject: string | undefined
  readonly every: Duration.Duration
  readonly once: boolean
  readonly stateFile: string | undefined
  /** How many changes to handle at once. */
  readonly concurrency: number | "unbounded"
  /** What an entry is, if it is not an event. */
  readonly noun?: string | undefined
  /** Handles a change. `print` writes lines to stdout. */
  readonly handle: (
    change: Change,
    print: (lines: ReadonlyArray<string>) => Effect.Effect<void, OutputError>,
  ) => Effect.Effect<void, E1, R1>
}

/** Makes the watch of one subscription. */
export const make = Effect.fnUntraced(function* <
  State,
  Change,
  E extends Failure.Failure,
  R,
  E1 extends Failure.Failure,
  R1,
>({
  concurrency,
  count,
  every,
  feed,
  handle,
  noun,
  once,
  place,
  stateFile,
  subject,
  subscription,
}: Options<State, Change, E, R, E1, R1>) {
  const output = yield* Output
  const name = stateFile && (yield* StateFile.nameFor(stateFile, subscription, count))
  const { data, file, restore, store } = yield* openState(output, name)
  const explain = (error: WatchStoreError) => file?.explain(error) ?? new UsageError(error.message)
  const { fail, invalid, schedule } = Polling.follow({ every, once, output, subject, noun })
  const handleOrNote = (change: Change) =>
    Effect.suspend(() => handle(change, data)).pipe(
      Defect.orNote(output, "A change was not handled, and is not repeated."),
    )
  // The only poll of a command fails with it. A watch would repeat it, and never poll again.
  const run = Feed.run(feed, once ? (change) => handle(change, data) : handleOrNote, {
    ...place,
    schedule,
    concurrency,
    // A file that was never written is a configuration error. Otherwise, the next write may succeed.
    onFailure: (error): Effect.Effect<void, Failure.Failure> =>
      error instanceof WatchStoreError ? fail(explain(error), file?.isStored() !== true) : fail(error, false),
    onInvalid: invalid,
  }).pipe(
    Effect.provideService(KeyValueStore.KeyValueStore, store),
    Effect.mapError((error): Failure.Failure => (error instanceof WatchStoreError ? explain(error) : error)),
    Effect.onError((cause) => noteProblem(output, file?.problem(), cause)),
    Defect.toFailure,
    // The next run begins with the changes that are stored as pending.
    Effect.tapErrorTag("Defect", (defect) => fail(defect, false)),
    Effect.retry({ while: ({ _tag }) => _tag === "Defect" && !once, schedule }),
  )
  return { subject, run, restore }
})

/** The watch of one subscription. `restore` marks what the reader of stdout may not have read as not printed. */
export interface Watch<R> {
  /** What is watched, if there are several. */
  readonly subject: string | undefined
  readonly run: Effect.Effect<void, Failure.Failure, R>
  readonly restore: Effect.Effect<void>
}

/** Runs all watches. One of several that fails does not end the others, but a closed stdout does. */
export const run = Effect.fnUntraced(function* <R>(watches: ReadonlyArray<Watch<R>>) {
  const { note } = yield* Output
  const [only] = watches
  if (only !== undefined && watches.length === 1) return yield* only.run
  const results = yield* Effect.forEach(
    watches,
    ({ run, subject }) =>
      Effect.catch(Effect.as(run, []), (error) =>
        error._tag === "OutputError"
          ? Effect.fail(error)
          : Effect.as(note(notePrefix(subject) + Failure.plain(error)), [error]),
      ),
    { concurrency: "unbounded" },
  ).pipe(Effect.tapError(() => Effect.forEach(watches, ({ restore }) => restore)))
  const failures = results.flat()
  if (failures.length > 0)
    yield* new CommandError(
      Failure.exitOfSeveral(failures, watches.length),
      `${failures.length} of ${watches.length} subscriptions could not be watched: see above.`,
    )
})

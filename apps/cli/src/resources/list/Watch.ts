/** `vigil resources list --watch`: pulls the states of resources, prints their changes, and then stores the states. */
import type * as AvailabilityClient from "@vigil/health-client/AvailabilityClient"
import * as Scope from "@vigil/health-client/Scope"
import * as Selection from "@vigil/health-client/Selection"
import * as StatusChanges from "@vigil/health-client/StatusChanges"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { KeyValueStore, KeyValueStoreError } from "effect/persistence/KeyValueStore"
import type { Failure } from "../../command/Failure.js"
import type * as Connection from "../../connection/Connection.js"
import * as Lists from "../../events/shared/Lists.js"
import * as Polling from "../../events/shared/Polling.js"
import * as Watching from "../../events/shared/Watching.js"
import * as Lock from "../../files/Lock.js"
import * as StateFile from "../../files/StateFile.js"
import { UsageError } from "../../flags/UsageError.js"
import type * as Format from "../../output/Format.js"
import { Output, withTimes } from "../../output/Output.js"
import * as Problems from "../../output/Problems.js"
import * as StateChange from "./StateChange.js"

interface Flags extends Selection.Selection {
  readonly every: Duration.Duration | undefined
  readonly once: boolean
  readonly output: Format.Format
  readonly stateFile: string | undefined
}

interface Connected extends Pick<Connection.Health, "apiVersion" | "names"> {
  readonly availability: AvailabilityClient.Service
}

/** The text of a state file. That of another subscription does not decode. */
const storedOf = (subscription: SubscriptionId) =>
  Schema.fromJsonString(
    Schema.Struct({
      vigil: Schema.Literal("resources list"),
      subscription: Schema.Literal(subscription.toLowerCase()),
      state: StatusChanges.State,
    }),
  )

/** The key of the states in the store, which has a file for each subscription. */
const key = "states"

/** Loads and saves the states of a subscription. */
const makeStates = (store: KeyValueStore, subscription: SubscriptionId) => {
  const schema = storedOf(subscription)
  const stored = { vigil: "resources list", subscription: subscription.toLowerCase() } as const
  return {
    load: Effect.gen(function* () {
      const text = yield* store.get(key)
      return text === undefined ? StatusChanges.empty : (yield* Schema.decodeEffect(schema)(text)).state
    }),
    save: (state: StatusChanges.State) =>
      Effect.flatMap(Schema.encodeEffect(schema)({ ...stored, state }), (text) => store.set(key, text)),
  }
}

/** The watch of one subscription, one of `count`. */
const make = Effect.fnUntraced(function* (
  { apiVersion, availability, names }: Connected,
  subscription: SubscriptionId,
  count: number,
  flags: Flags,
) {
  const { every = Duration.minutes(5), once, stateFile } = flags
  const selects = Selection.matches(flags)
  const output = yield* Output
  const [label, subject] = count === 1 ? [] : [names.label(subscription), names.title(subscription)]
  const name = stateFile && StateFile.nameFor(stateFile, subscription, count)
  const { data, file, restore, store } = yield* Watching.openState(output, name)
  const explain = Effect.mapError(
    (error: KeyValueStoreError | Schema.SchemaError) => file?.explain(error) ?? new UsageError(error.message),
  )
  const { load, save } = makeStates(store, subscription)
  const isSelected = (change: StatusChanges.Change) => {
    const states = "before" in change ? [change.before] : []
    return selects(change.id, ...states, ...("state" in change ? [change.state] : []))
  }
  const format = (change: StatusChanges.Change, now: DateTime.Utc) =>
    flags.output === "jsonl"
      ? [StateChange.json(change, now)]
      : StateChange.lines(change, now, { subscription: label, width: output.width, color: output.color })

  const noteInvalid = Polling.noteInvalid(output, subject, Lists.statusNoun.entry)
  /** The states whose changes are printed, and those that are stored. They differ after a failed write. */
  const states = yield* Effect.map(explain(load), (state) => ({ printed: state, stored: state }))
  const poll = Effect.gen(function* () {
    const pages = yield* Stream.runCollect(availability.pages(Scope.subscription(subscription), { apiVersion }))
    yield* Effect.forEach(
      pages.flatMap(({ invalid }) => invalid),
      noteInvalid,
      { discard: true },
    )
    const now = yield* DateTime.now
    const { changes, state } = StatusChanges.step(states.printed, pages)
    yield* data(changes.filter(isSelected).flatMap((change) => format(change, now)))
    states.printed = state
    if (states.stored === state) return
    yield* explain(save(state))
    states.stored = state
  })

  const outcomes = Polling.outcomes(output, every, subject)
  let hasSucceeded = false
  const onFailure = (error: Failure) => {
    // A file that was never written is a configuration error. Otherwise, the next write may succeed.
    const isFinal = error._tag === "FileError" ? file?.isStored() !== true : error._tag === "OutputError"
    return once || isFinal || Polling.isLasting(error, hasSucceeded) ? Effect.fail(error) : outcomes.fail(error)
  }
  const onSuccess = () => {
    hasSucceeded = true
    return outcomes.succeed
  }
  const run = Effect.matchEffect(poll, { onFailure, onSuccess }).pipe(
    Effect.repeat(once ? Schedule.recurs(0) : Polling.schedule(output, every)),
    Effect.asVoid,
    Effect.onError((cause) => Watching.noteProblem(output, file?.problem(), cause)),
  )
  return { subject, run, restore }
})

/** Watches subscriptions. Prints the changes of a poll before it stores the states, so that a killed run repeats them, and never loses one. */
export const watch = Effect.fnUntraced(
  function* (connection: Connection.Health, ids: ReadonlyArray<SubscriptionId>, flags: Flags) {
    const { status } = yield* Output
    if (flags.stateFile !== undefined) yield* Lock.lock(flags.stateFile, "vigil resources list")
    const connected = { ...connection, availability: yield* connection.availability }
    const watches = yield* Effect.forEach(ids, (id) => make(connected, id, ids.length, flags))
    yield* Watching.run(watches).pipe(Effect.ensuring(status(undefined)), Problems.withoutWarnings)
  },
  Effect.updateService(Output, withTimes),
)

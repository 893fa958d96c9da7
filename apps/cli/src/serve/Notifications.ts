/** Sends the changes between the polls of a server to the sinks of routes. */
import * as StatusChanges from "@vigil/availability-client/StatusChanges"
import * as HealthWatch from "@vigil/health-client/Watch"
import { WatchStoreError } from "@vigil/health-client/WatchStore"
import type * as SubscriptionId from "@vigil/health-listing/SubscriptionId"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Limits from "@vigil/health-schema/Limits"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Failure from "../command/Failure.js"
import type { EventPage } from "../connection/AnyEvent.js"
import type * as Connection from "../connection/Connection.js"
import * as ChangeSelection from "../events/shared/ChangeSelection.js"
import type * as Selection from "../events/shared/Selection.js"
import type * as ResourceStatuses from "../events/shared/ResourceStatuses.js"
import * as StateFile from "../files/StateFile.js"
import { UsageError } from "../flags/UsageError.js"
import * as Deliver from "../notify/shared/Deliver.js"
import { Output } from "../output/Output.js"
import * as Problems from "../output/Problems.js"
import * as Metrics from "./Metrics.js"

export interface Options extends Selection.Flags {
  readonly connection: Connection.Health
  readonly subscription: ReadonlyArray<SubscriptionId.SubscriptionId>
  readonly apiVersion: ApiVersion.ApiVersion
  readonly every: Duration.Duration
  readonly routes: string
  readonly stateFile: string | undefined
  /** The page of the links. */
  readonly publicUrl: URL | undefined
}

/** A complete list. */
export interface Poll {
  /** The ID of the subscription. */
  readonly list: string
  /** The start of the list, in milliseconds since 1970. */
  readonly from: number
  readonly pages: ReadonlyArray<EventPage>
}

/** The resources of a subscription, all of them. */
export interface ResourcePoll extends Pick<ResourceStatuses.Outcome, "invalid" | "statuses"> {
  readonly list: string
}

/** A state belongs to one subscription. */
const resourceSchema = (id: SubscriptionId.SubscriptionId) =>
  Schema.fromJsonString(Schema.Struct({ subscription: Schema.Literal(id), state: StatusChanges.State }))

const memory = Effect.map(Effect.provide(KeyValueStore.KeyValueStore, KeyValueStore.layerMemory), (store) => ({
  store,
  isStored: () => true,
  explain: ({ message }: Parameters<State["explain"]>[0]) => new UsageError(message),
}))

type State = Pick<Effect.Success<ReturnType<typeof StateFile.open>>, "explain" | "isStored" | "store">

/** The first message says what is active, so it covers the events of the page. Later polls need only what was updated since. */
const firstLookback = (now: DateTime.Utc, from: number): Duration.Duration =>
  Duration.max(Duration.days(Limits.defaultDaysBack), Duration.millis(Math.max(0, DateTime.toEpochMillis(now) - from)))

/** Ends with its scope: due notifications are then sent for at most ten seconds. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { note } = yield* Output
  const selects = ChangeSelection.make(options)
  const { apiVersion, connection, every, stateFile, subscription } = options
  // The next poll is the next attempt to store a notification, so that the server never waits for a full disk.
  const deliver = yield* Deliver.make({ ...options, names: connection.names, once: true })
  const watches = yield* Effect.forEach(subscription, (id) =>
    Effect.gen(function* () {
      if (stateFile === undefined) return { id, file: yield* memory }
      return { id, file: yield* StateFile.open(StateFile.nameFor(stateFile, id, subscription.length)) }
    }),
  )
  const noteFailure = (error: Failure.Failure) =>
    note(`vigil: Notifications failed, the next attempt is in ${Duration.format(every)}. ${Failure.plain(error)}`)

  const deliverOne = Effect.fnUntraced(function* (
    id: SubscriptionId.SubscriptionId,
    { store }: State,
    { from, pages }: Poll,
  ) {
    const schema = HealthWatch.schema(id, { apiVersion })
    const text = yield* store.get(id)
    const now = yield* DateTime.now
    const known = text === undefined ? undefined : yield* Schema.decodeEffect(schema)(text)
    const state = known ?? HealthWatch.empty(id, { apiVersion, now })
    let isRead = false
    const read = (queryStartTime: DateTime.Utc) => {
      const isCovered = !isRead && from <= DateTime.toEpochMillis(queryStartTime)
      isRead = true
      return isCovered
        ? Effect.succeed(pages)
        : Stream.runCollect(connection.client.pagesBySubscription(id, { apiVersion, queryStartTime }))
    }
    const times = state.isNew ? { now, lookback: firstLookback(now, from) } : { now }
    const { changes, state: next } = yield* HealthWatch.poll(state, read, times)
    yield* Effect.forEach(
      // The sinks also get the change with which an event stops matching, such as its resolution.
      changes.filter(selects),
      (change) => deliver.change(change, id),
      { discard: true },
    )
    // Stored last: what is not delivered comes again.
    if (next === known) return
    const encoded = yield* Effect.mapError(
      Schema.encodeEffect(schema)(next),
      () => new WatchStoreError({ operation: "save", reason: "tooDeep" }),
    )
    yield* store.set(id, encoded)
  })

  const deliverResources = Effect.fnUntraced(function* (
    id: SubscriptionId.SubscriptionId,
    { store }: State,
    { invalid, statuses }: ResourcePoll,
  ) {
    const schema = resourceSchema(id)
    const key = `${id}/resources`
    const text = yield* store.get(key)
    const known = text === undefined ? undefined : (yield* Schema.decodeEffect(schema)(text)).state
    const { changes, state } = StatusChanges.step(known ?? StatusChanges.empty, [{ items: statuses, invalid }])
    yield* Effect.forEach(changes, (change) => deliver.resource(change, id), { discard: true })
    if (state === known) return
    yield* store.set(key, yield* Schema.encodeEffect(schema)({ subscription: id, state }))
  })

  /** A failure is noted, except for a file that was never written: that is a configuration error. */
  const attempt =
    <P extends { readonly list: string }>(
      run: (
        id: SubscriptionId.SubscriptionId,
        file: State,
        poll: P,
      ) => Effect.Effect<void, Effect.Error<ReturnType<typeof deliverOne>>>,
    ) =>
    (poll: P): Effect.Effect<void, Failure.Failure> =>
      Effect.forEach(
        watches.filter(({ id }) => id === poll.list),
        ({ file, id }) =>
          run(id, file, poll).pipe(
            Effect.catch((error) => {
              const isStoreError =
                error._tag === "WatchStoreError" || error._tag === "KeyValueStoreError" || error._tag === "SchemaError"
              const failure = isStoreError ? file.explain(error) : error
              return isStoreError && !file.isStored() ? Effect.fail(failure) : noteFailure(failure)
            }),
          ),
        { discard: true },
      ).pipe(Problems.withoutWarnings)

  return {
    /** The metrics of the notifications. */
    families: () => Metrics.notifications(Effect.runSync(deliver.status)),
    /** Stores the changes since the previous poll for the sinks. Fails if the state file is unusable. */
    deliver: attempt(deliverOne),
    /** The same for the states of resources. */
    deliverResources: attempt(deliverResources),
  }
})

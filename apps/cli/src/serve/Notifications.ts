/** Sends the changes between the polls of a server to the sinks of routes. */
import * as Feed from "@vigil/health-client/Feed"
import type * as Listing from "@vigil/health-client/Listing"
import * as StatusFeed from "@vigil/health-client/StatusFeed"
import type * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as HealthWatch from "@vigil/health-client/Watch"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Limits from "@vigil/health-schema/Limits"
import type { StatusList } from "@vigil/health-verdict/StatusList"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Defect from "../output/Defect.js"
import * as Failure from "../command/Failure.js"
import type { AnyEvent } from "../connection/AnyEvent.js"
import type * as Connection from "../connection/Connection.js"
import * as ChangeSelection from "../watches/ChangeSelection.js"
import type * as EventSelection from "../lists/EventSelection.js"
import * as Lock from "../files/Lock.js"
import * as StateFile from "../files/StateFile.js"
import { UsageError } from "../flags/UsageError.js"
import * as Deliver from "../notify/shared/Deliver.js"
import { Output } from "../output/Output.js"
import * as Problems from "../output/Problems.js"
import * as Metrics from "./Metrics.js"

export interface Options extends EventSelection.Flags {
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
  readonly pages: ReadonlyArray<Pick<Listing.Page<AnyEvent>, "invalid" | "items">>
}

/** The resources of a subscription, all of them. */
export interface ResourcePoll extends Pick<StatusList, "invalid" | "statuses"> {
  readonly list: string
}

const memory = Effect.map(Effect.provide(KeyValueStore.KeyValueStore, KeyValueStore.layerMemory), (store) => ({
  store,
  isStored: () => true,
  explain: ({ message }: Parameters<File["explain"]>[0]) => new UsageError(message),
}))

type File = Pick<Effect.Success<ReturnType<typeof StateFile.open>>, "explain" | "isStored" | "store">

/** A list begins 3 days before the last one with a change, which is at most an hour older than the last one: so a poll reads it once. */
const reach = Duration.sum(Duration.days(Limits.defaultDaysBack), Duration.hours(2))

/** The first message says what is active, so it covers the events of the page. Later polls need only what was updated since. */
const firstLookback = (now: DateTime.Utc, from: number): Duration.Duration =>
  Duration.max(Duration.days(Limits.defaultDaysBack), Duration.millis(Math.max(0, DateTime.toEpochMillis(now) - from)))

/** Continues with what is stored under a key. What is next is stored last: what is not delivered comes again. */
const update = Effect.fnUntraced(function* <State, Change, E, R, E1, R1>(
  store: KeyValueStore.KeyValueStore,
  key: string,
  feed: Feed.Feed<State, Change, E, R>,
  handle: (change: Change) => Effect.Effect<void, E1, R1>,
) {
  const skip = Defect.orNote(yield* Output, "A change was not sent, and is not repeated.")
  const now = yield* DateTime.now
  const stored = yield* Feed.load(feed, yield* store.get(key), now)
  const { changes, text } = yield* Feed.step(feed, stored, now)
  yield* Effect.forEach(changes, (change) => skip(Effect.suspend(() => handle(change))), together)
  if (text !== undefined) yield* store.set(key, text)
})

/** Changes that wait together are stored together. One by one, each would store all before it, and a first summary would miss some. */
const together = { concurrency: "unbounded", discard: true } as const

/** What all lists share. */
interface Context extends Pick<Options, "apiVersion" | "connection"> {
  readonly deliver: Effect.Success<ReturnType<typeof Deliver.make>>
  readonly selects: ChangeSelection.Selects
}

/** A subscription and its state file. */
interface Watch {
  readonly id: SubscriptionId.SubscriptionId
  readonly file: File
}

const deliverEvents =
  ({ apiVersion, connection, deliver, selects }: Context) =>
  ({ file, id }: Watch, { from, pages }: Poll) => {
    let isRead = false
    const read = (queryStartTime: DateTime.Utc) => {
      const isCovered = !isRead && from <= DateTime.toEpochMillis(queryStartTime)
      isRead = true
      return isCovered
        ? Effect.succeed(pages)
        : Stream.runCollect(connection.client.pagesBySubscription(id, { apiVersion, queryStartTime }))
    }
    const times = ({ isNew }: { readonly isNew: boolean }, now: DateTime.Utc) =>
      isNew ? { lookback: firstLookback(now, from) } : {}
    const feed = HealthWatch.feed(id, { apiVersion, read, times })
    // The sinks also get the change with which an event stops matching, such as its resolution.
    return update(file.store, "", feed, (change) => (selects(change) ? deliver.change(change, id) : Effect.void))
  }

const deliverResources =
  ({ deliver }: Context) =>
  ({ file, id }: Watch, { invalid, statuses }: ResourcePoll) => {
    const feed = StatusFeed.make(id, Effect.succeed([{ items: statuses, invalid }]))
    return update(file.store, StateFile.resources.key, feed, (change) => deliver.resource(change, id))
  }

/** Ends with its scope: due notifications are then sent for at most ten seconds. */
export const make = Effect.fnUntraced(function* (options: Options) {
  const output = yield* Output
  const { connection, stateFile, subscription } = options
  if (stateFile !== undefined) yield* Lock.lock(stateFile, "vigil serve")
  // The next poll is the next attempt to store a notification, so that the server never waits for a full disk.
  const deliver = yield* Deliver.make({ ...options, names: connection.names, once: true })
  const context = { ...options, deliver, selects: ChangeSelection.make(options) }
  const watches = yield* Effect.forEach(subscription, (id) =>
    Effect.gen(function* () {
      if (stateFile === undefined) return { id, file: yield* memory }
      return { id, file: yield* StateFile.open(yield* StateFile.nameFor(stateFile, id, subscription.length)) }
    }),
  )
  const attempts: Array<ReturnType<typeof Problems.untilOver>> = []

  /** Notes when a kind of lists begins to fail, and that it works again. A file that was never written is a configuration error, and fails. */
  const attempt = <P extends { readonly list: string }>(
    run: (watch: Watch, poll: P) => ReturnType<ReturnType<typeof deliverEvents>>,
  ) => {
    const all = watches.map((watch) => ({
      watch,
      problem: Problems.untilOver(output.note, "vigil: Notifications work again."),
    }))
    attempts.push(...all.map(({ problem }) => problem))
    return (poll: P): Effect.Effect<void, Failure.Failure> =>
      Effect.forEach(
        all.filter(({ watch }) => watch.id === poll.list),
        ({ problem, watch }) =>
          Effect.matchEffect(Defect.toFailure(run(watch, poll)), {
            onSuccess: () => problem.succeed,
            onFailure: (error) => {
              const isStoreError = error._tag === "WatchStoreError" || error._tag === "KeyValueStoreError"
              const failure = isStoreError ? watch.file.explain(error) : error
              return isStoreError && !watch.file.isStored()
                ? Effect.fail(failure)
                : problem.fail(`vigil: Notifications failed, each poll tries again. ${Failure.plain(failure)}`)
            },
          }),
        { discard: true },
      ).pipe(Problems.withoutWarnings, Effect.provideService(Output, output))
  }
  const status = () => Effect.runSync(deliver.status)
  /** Whether a restart loses or repeats nothing. */
  const isStored = () =>
    attempts.every(({ isOver }) => isOver()) && status().every(({ storeError }) => storeError === undefined)

  return {
    /** The metrics of the notifications. */
    families: () => Metrics.notifications(status(), isStored()),
    isStored,
    reach,
    /** Stores the changes since the previous poll for the sinks. Fails if the state file is unusable. */
    deliver: attempt(deliverEvents(context)),
    /** The same for the states of resources. */
    deliverResources: attempt(deliverResources(context)),
  }
})

/** One poll of a subscription: from a stored state to its changes and the next state. */
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type { HealthClient } from "@vigil/health-client/HealthClient"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Watch from "@vigil/health-client/Watch"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"

/** Options of the lists. @category models @since 0.1.0 */
export interface Options extends Pick<
  Watch.Options<ApiVersion.ApiVersion>,
  "apiVersion" | "filter" | "lookback" | "maxPages" | "retention" | "unresolvedRetention"
> {}

export type Change = Watch.Change<ApiVersion.ApiVersion>

export interface PollResult {
  readonly changes: ReadonlyArray<Change>
  /** The state after the changes; `undefined` if it is the same. */
  readonly state: string | undefined
  readonly error: string | undefined
  /** Whether it started with an empty state. */
  readonly isFirst: boolean
  /** How many entries of the list were not events. */
  readonly invalid: number
}

const key = "state"

/** Reads a list once, with an empty state if the stored one belongs to another filter or version. */
export const poll = (
  subscription: SubscriptionId,
  state: string | null,
  options: Options,
): Effect.Effect<PollResult, never, HealthClient> =>
  Effect.gen(function* () {
    const store = yield* KeyValueStore.KeyValueStore
    if (state !== null) yield* store.set(key, state)
    let invalid = 0
    const changes: Array<Change> = []
    const { apiVersion, filter, lookback, maxPages } = options
    const result = yield* Watch.watch(subscription, {
      apiVersion,
      filter,
      lookback,
      maxPages,
      store,
      key,
      onInvalid: () => Effect.sync(() => void invalid++),
      schedule: Schedule.recurs(0),
    }).pipe(
      Stream.runForEach((change) => Effect.sync(() => void changes.push(change))),
      Effect.result,
    )
    const error = Result.isFailure(result) ? result.failure : undefined
    if (error?._tag === "WatchStoreError" && state !== null) return yield* poll(subscription, null, options)
    const next = yield* store.get(key)
    // If the poll has failed, the changes are those that it read before.
    return {
      changes,
      invalid,
      isFirst: state === null,
      state: next === state ? undefined : next,
      error: error?.message,
    }
    // `local`: the poll within this one, with an empty state, must not share its store.
  }).pipe(Effect.orDie, Effect.provide(KeyValueStore.layerMemory, { local: true }))

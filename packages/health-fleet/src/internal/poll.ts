/** One poll of a subscription: from a stored state to its changes and the next state. */
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Watch from "@vigil/health-client/Watch"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"

/** Options of the lists. @category models @since 0.1.0 */
export interface Options extends Pick<
  Watch.Options<ApiVersion.ApiVersion>,
  "apiVersion" | "filter" | "lookback" | "maxPages" | "retention" | "unresolvedRetention"
> {}

export type Change = Watch.Change<ApiVersion.ApiVersion>

export interface Result {
  readonly changes: ReadonlyArray<Change>
  /** The state after the changes; `undefined` if it is the same. */
  readonly state: string | undefined
  readonly error: Watch.WatchError | undefined
  readonly invalid: number
}

/** Reads a list once. If it fails, the result contains the changes that were read before. */
export const poll = (subscription: SubscriptionId, state: string | null, options: Options) =>
  Effect.suspend(() => {
    let text = Option.fromNullable(state)
    let invalid = 0
    const changes: Array<Change> = []
    const set = (value: Option.Option<string>) =>
      Effect.sync(() => {
        text = value
      })
    const store = KeyValueStore.makeStringOnly({
      get: () => Effect.sync(() => text),
      set: (_, value) => set(Option.some(value)),
      remove: () => set(Option.none()),
      clear: set(Option.none()),
      size: Effect.sync(() => (Option.isSome(text) ? 1 : 0)),
    })
    const onInvalid = () =>
      Effect.sync(() => {
        invalid += 1
      })
    const { apiVersion, filter, lookback, maxPages, retention, unresolvedRetention } = options
    return Watch.watch(subscription, {
      apiVersion,
      filter,
      lookback,
      maxPages,
      retention,
      unresolvedRetention,
      store,
      onInvalid,
      schedule: Schedule.stop,
    }).pipe(
      Stream.runForEach((change) =>
        Effect.sync(() => {
          changes.push(change)
        }),
      ),
      Effect.either,
      Effect.map((result): Result => {
        const next = Option.getOrNull(text)
        return {
          changes,
          invalid,
          state: next === state || next === null ? undefined : next,
          error: Either.isLeft(result) ? result.left : undefined,
        }
      }),
    )
  })

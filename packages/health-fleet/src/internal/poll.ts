/** One poll of a subscription: from a stored state to its changes and the next state. */
import * as Feed from "@vigil/health-client/Feed"
import { HealthClient } from "@vigil/health-client/HealthClient"
import type * as Listing from "@vigil/health-client/Listing"
import type * as Query from "@vigil/health-client/Query"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Watch from "@vigil/health-client/Watch"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** Options of the lists. @category models @since 0.1.0 */
export interface Options extends Query.Query<ApiVersion.ApiVersion>, Listing.Limits, Pick<Watch.Times, "lookback"> {}

export type Change = Watch.Change<ApiVersion.ApiVersion>

export interface PollResult {
  readonly changes: ReadonlyArray<Change>
  /** The state after the changes; `undefined` if it is the same. */
  readonly state: string | undefined
  readonly error: string | undefined
  /** Whether no poll before it was complete. */
  readonly isFirst: boolean
  /** How many entries of the list were not events. */
  readonly invalid: number
}

/**
 * Reads a list once, with an empty state if the stored one belongs to another filter. `now` comes from the clock of the database: the
 * clocks of machines differ, and the state compares their times. `turn` waits before each request except the first, for which the caller has waited.
 */
export const poll = (
  subscription: SubscriptionId,
  stored: string | null,
  options: Options & Pick<Watch.Times, "now">,
  turn: Effect.Effect<void> = Effect.void,
): Effect.Effect<PollResult, never, HealthClient> =>
  Effect.gen(function* () {
    const { pagesBySubscription } = yield* HealthClient
    const { apiVersion, filter, lookback, maxPages, now } = options
    let requests = 0
    const request = Effect.suspend(() => (requests++ === 0 ? Effect.void : turn))
    const read = (queryStartTime: DateTime.Utc) =>
      Effect.andThen(
        request,
        Stream.runCollect(
          Stream.tap(
            pagesBySubscription(subscription, { apiVersion, filter, maxPages, queryStartTime }),
            ({ checkpoint }) => (checkpoint.next === undefined ? Effect.void : request),
          ),
        ),
      )
    const feed = Watch.feed(subscription, { apiVersion, filter, read, times: () => ({ lookback }) })
    const known = yield* Effect.option(stored === null ? Effect.fail(undefined) : Feed.load(feed, stored, now))
    const last = Option.getOrElse(known, () => ({ state: feed.empty(now), pending: [] }))
    const { isNew: isFirst } = last.state
    // The transaction that stores the text also stores the changes.
    return yield* Feed.step(feed, last, now).pipe(
      Effect.map(({ changes, invalid, text }) => ({
        changes,
        invalid: invalid.length,
        isFirst,
        state: text,
        error: undefined,
      })),
      Effect.catch(({ message }) =>
        // A later poll reaches back to the time of this one.
        Effect.sync(() => {
          const state = Option.isSome(known) ? undefined : feed.encode(last)
          return { changes: [], invalid: 0, isFirst, state, error: message }
        }),
      ),
    )
  })

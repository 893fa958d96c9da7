/** One poll of a subscription: from a stored state to its changes and the next state. */
import { HealthClient } from "@vigil/health-client/HealthClient"
import type * as Listing from "@vigil/health-client/Listing"
import type * as Query from "@vigil/health-client/Query"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Watch from "@vigil/health-client/Watch"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
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
 * Reads a list once, with an empty state if the stored one belongs to another filter or version. `now` comes from the clock of the database: the
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
    const { apiVersion, filter, maxPages } = options
    const schema = Watch.schema(subscription, { apiVersion, filter })
    const known = stored === null ? Option.none() : yield* Effect.option(Schema.decodeEffect(schema)(stored))
    const state = Option.getOrElse(known, () => Watch.empty(subscription, options))
    const { isNew: isFirst } = state
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
    // The transaction that stores the state also stores the changes.
    const encode = Schema.encodeEffect(schema)
    return yield* Effect.gen(function* () {
      const { changes, invalid, state: next } = yield* Watch.poll(state, read, options)
      const isSame = next === state && Option.isSome(known)
      return {
        changes,
        invalid: invalid.length,
        isFirst,
        state: isSame ? undefined : yield* encode(next),
        error: undefined,
      }
    }).pipe(
      Effect.catch(({ message }) =>
        Effect.gen(function* () {
          // A later poll reaches back to the time of this one.
          const text = Option.isSome(known) ? undefined : yield* Effect.orDie(encode(state))
          return { changes: [], invalid: 0, isFirst, state: text, error: message }
        }),
      ),
    )
  })

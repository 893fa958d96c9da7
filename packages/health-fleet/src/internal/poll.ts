/** One poll of a subscription: from a stored state to its changes and the next state. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import { HealthClient } from "@vigil/health-client/HealthClient"
import type * as Listing from "@vigil/health-client/Listing"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Watch from "@vigil/health-client/Watch"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"

/** Options of the lists. @category models @since 0.1.0 */
export interface Options extends Listing.Query<ApiVersion.ApiVersion>, Listing.Limits, Pick<Watch.Times, "lookback"> {}

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
    const known =
      stored === null ? Option.none() : Result.getSuccess(Watch.decode(stored, subscription, { apiVersion, filter }))
    const state = Option.getOrElse(known, () => Watch.empty(subscription, options))
    const queryStartTime = Watch.since(state, options)
    const list = Stream.runCollect(
      Stream.tap(
        pagesBySubscription(subscription, { apiVersion, filter, maxPages, queryStartTime }),
        ({ checkpoint }) => (Option.isSome(checkpoint.next) ? turn : Effect.void),
      ),
    )
    let invalid = 0
    const result = yield* Effect.result(
      Effect.gen(function* () {
        const first = yield* list
        invalid = first.reduce((sum, page) => sum + page.invalid.length, 0)
        const { changes, state: next } = yield* Watch.advance(state, first, Effect.andThen(turn, list), options)
        return { changes, state: next === state && Option.isSome(known) ? undefined : yield* encode(next) }
      }),
    )
    const { isNew: isFirst } = state
    if (Result.isSuccess(result)) return { ...result.success, invalid, isFirst, error: undefined }
    // A later poll reaches back to the time of this one.
    const text = Option.isSome(known) ? undefined : yield* Effect.orDie(encode(state))
    return { changes: [], invalid, isFirst, state: text, error: result.failure.message }
  })

/** The transaction that stores the state also stores the changes. */
const encode = (state: Watch.State<ApiVersion.ApiVersion>) => Effect.fromResult(Watch.encode({ ...state, pending: [] }))

/** One poll of a subscription: from a stored state to its changes and the next state. */
import * as Feed from "@vigil/health-client/Feed"
import { HealthClient } from "@vigil/health-client/HealthClient"
import * as ListLimit from "@vigil/health-client/ListLimit"
import type * as Listing from "@vigil/health-client/Listing"
import type * as Query from "@vigil/health-client/Query"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Watch from "@vigil/health-client/Watch"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Cause from "effect/Cause"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** Options of the lists. @category models @since 0.1.0 */
export interface Options extends Query.Query<ApiVersion.ApiVersion>, Listing.Limits, Pick<Watch.Times, "lookback"> {}

type Change = Watch.Change<ApiVersion.ApiVersion>

export interface PollResult {
  readonly changes: ReadonlyArray<Change>
  /** The state after the changes; `undefined` if it is the same. */
  readonly state: string | undefined
  readonly error: string | undefined
  /** How long the service asks to wait. */
  readonly retryAfter?: Duration.Duration | undefined
  /** Whether no poll before it was complete. */
  readonly isFirst: boolean
  /** How many entries of the list were not events. */
  readonly invalid: number
}

/** How the error of a poll begins that the service refused because of too many requests. */
export const throttled = "Throttled: "

/** A claim is extended while its poll runs, so a poll without a next page in this time ends. */
const pageTimeout = Duration.minutes(10)

/** The result of a poll that found and changed nothing. */
export const nothing = { changes: [], state: undefined, invalid: 0, isFirst: false }

/** Reads a list once. A defect is an error of this poll. The state is empty if the stored one has another filter. `now`: by the clock of the database. `turn`: before later requests. */
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
    const read = (queryStartTime: DateTime.Utc) => {
      const pages = pagesBySubscription(subscription, { apiVersion, filter, maxPages, queryStartTime })
      const limited = Stream.timeoutOrElse(ListLimit.atMost(ListLimit.standard)(pages), {
        duration: pageTimeout,
        orElse: () => Stream.fail(new ListLimit.ListLimit({ limit: { timeout: pageTimeout } })),
      })
      const paced = Stream.tap(limited, ({ checkpoint }) => (checkpoint.next === undefined ? Effect.void : request))
      return Effect.andThen(request, Stream.runCollect(paced))
    }
    const feed = Watch.feed(subscription, { apiVersion, filter, read, times: () => ({ lookback }) })
    const load = (text: string) =>
      Effect.tapError(Feed.load(feed, text, now), (error) =>
        error.reason === "unreadable"
          ? Effect.logWarning(`The watch of ${subscription} starts over.`, error)
          : Effect.void,
      )
    const known = yield* Effect.option(stored === null ? Effect.fail(undefined) : load(stored))
    const last = Option.getOrElse(known, () => ({ state: feed.empty(now), pending: [] }))
    const { isNew: isFirst } = last.state
    // The transaction that stores the text also stores the changes.
    return yield* Effect.match(Feed.step(feed, last, now), {
      onSuccess: ({ changes, invalid: { length: invalid }, text: state }) => {
        return { changes, invalid, isFirst, state, error: undefined }
      },
      // A later poll reaches back to the time of this one.
      onFailure: (failure) => {
        const state = Option.isSome(known) ? undefined : feed.encode(last)
        const isThrottled = failure._tag === "RequestError" && failure.reason._tag === "RateLimited"
        const error = `${isThrottled ? throttled : ""}${failure.message}`
        const retryAfter = failure._tag === "RequestError" ? failure.retryAfter : undefined
        return { changes: [], invalid: 0, isFirst, state, error, retryAfter }
      },
    })
  }).pipe(
    Effect.catchDefect((defect) =>
      Effect.as(Effect.ignoreCause(Effect.logError(`The poll of ${subscription} has a defect.`, Cause.die(defect))), {
        ...nothing,
        error: "The poll has a defect. The log of the runner has its cause.",
      }),
    ),
  )

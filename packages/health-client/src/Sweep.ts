/** Lists the events of many subscriptions, with an outcome for each. */
import * as Span from "@vigil/core-http/Span"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as EventUnion from "@vigil/health-schema/EventUnion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { HealthClient } from "./HealthClient.js"
import * as Listing from "./Listing.js"
import type * as Query from "./Query.js"
import type { SubscriptionId } from "./SubscriptionId.js"

interface Result<V extends ApiVersion.ApiVersion> {
  readonly subscription: SubscriptionId
  readonly events: ReadonlyArray<HealthEvent.HealthEvent<V>>
  readonly invalid: ReadonlyArray<Listing.InvalidEntry>
  /** How many valid entries are left out, because they were updated before the start time. */
  readonly older: number
}

/**
 * The outcome of one subscription: its list is complete (`Listed`), or ended with an error (`Failed`). With a `Max` of `number`, the error may be
 * `PageLimit`.
 * @category models @since 0.1.0
 */
export type Outcome<V extends ApiVersion.ApiVersion = ApiVersion.Default, Max extends number | undefined = undefined> =
  | (Result<V> & { readonly _tag: "Listed" })
  | (Result<V> & { readonly _tag: "Failed"; readonly error: Listing.CollectError<Max> })

/** Options of `sweep`. `maxPages` applies to each subscription. @category models @since 0.1.0 */
export interface Options<
  V extends ApiVersion.ApiVersion = ApiVersion.Default,
  Max extends number | undefined = number | undefined,
>
  extends Query.SubscriptionQuery<V>, Listing.Limits<Max> {
  /** How many subscriptions to list at once. Default: 8. */
  readonly concurrency?: number | "unbounded" | undefined
}

/**
 * Lists many subscriptions and emits each outcome as it completes. Never fails: a failed list becomes a `Failed` outcome. All lists share
 * the limits and the retry budget of the client. The events of a subscription stay in memory until its outcome is emitted.
 * @category streams @since 0.1.0
 */
export const sweep = <
  const V extends ApiVersion.ApiVersion = ApiVersion.Default,
  Max extends number | undefined = undefined,
>(
  subscriptions: Iterable<SubscriptionId>,
  { apiVersion, concurrency = 8, filter, maxPages, queryStartTime }: Options<V, Max> = {},
): Stream.Stream<Outcome<NoInfer<V>, Max>, never, HealthClient> => {
  const outcome = (subscription: SubscriptionId): Effect.Effect<Outcome<V, Max>, never, HealthClient> =>
    Effect.flatMap(HealthClient, ({ pagesBySubscription }) => {
      const pages = pagesBySubscription(subscription, { apiVersion, filter, maxPages, queryStartTime })
      return Effect.map(
        Listing.collect(pages, Effect.result, { entries: Infinity, pages: Infinity }),
        ({ items: events, problem: error, ...rest }): Outcome<V, Max> => {
          const result = { subscription, events, ...rest }
          return error === undefined ? { _tag: "Listed", ...result } : { _tag: "Failed", ...result, error }
        },
      )
    })
  return Stream.mapEffect(Stream.fromIterable(subscriptions), outcome, { concurrency, unordered: true }).pipe(
    Span.runStream("Sweep.sweep"),
  )
}

/** An event, and the subscriptions, or other owners, whose lists contain it. @category models @since 0.1.0 */
export interface JoinedEvent<V extends ApiVersion.ApiVersion = ApiVersion.Default, Owner = SubscriptionId> {
  /** The merged event (`EventUnion.merge`). */
  readonly event: HealthEvent.HealthEvent<V>
  /** In the order of the outcomes. */
  readonly subscriptions: Arr.NonEmptyReadonlyArray<Owner>
}

/**
 * Merges the events of all outcomes by `HealthEvent.eventKey`, in order of first appearance. Events without a key are never merged.
 * @category combinators @since 0.1.0
 */
export const join = <V extends ApiVersion.ApiVersion, Owner = SubscriptionId>(
  outcomes: Iterable<Pick<Outcome<V>, "events"> & { readonly subscription: Owner }>,
): ReadonlyArray<JoinedEvent<V, Owner>> => {
  type Occurrence = readonly [HealthEvent.HealthEvent<V>, Owner]
  const occurrences = new Map<unknown, Arr.NonEmptyArray<Occurrence>>()
  for (const { events, subscription } of outcomes)
    for (const event of events) {
      const key = HealthEvent.eventKey(event) ?? event
      const known = occurrences.get(key)
      if (known === undefined) occurrences.set(key, [[event, subscription]])
      else known.push([event, subscription])
    }
  return Array.from(occurrences.values(), (all) => {
    const [[event, first], ...others] = all
    const subscriptions = new Set(others.map(([, subscription]) => subscription))
    subscriptions.delete(first)
    return {
      event: others.length === 0 ? event : EventUnion.merge(Arr.map(all, ([event]) => event)),
      subscriptions: [first, ...subscriptions],
    }
  })
}

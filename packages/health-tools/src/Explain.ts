/** Reads what is known about a resource, and explains its state. */
import { AvailabilityClient } from "@vigil/availability-client/AvailabilityClient"
import * as Scope from "@vigil/availability-client/Scope"
import type { RequestError } from "@vigil/core-http/RequestError"
import { HealthClient } from "@vigil/health-client/HealthClient"
import { TrackingId } from "@vigil/health-client/TrackingId"
import type * as Listing from "@vigil/health-listing/Listing"
import { ResourceUri } from "@vigil/health-listing/ResourceUri"
import { SubscriptionId } from "@vigil/health-listing/SubscriptionId"
import * as Evidence from "@vigil/health-report/Evidence"
import * as Explanation from "@vigil/health-report/Explanation"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Limits from "@vigil/health-schema/Limits"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

interface Failure {
  readonly message: string
}

type ListError = Listing.PagesError<undefined, undefined>

const isMissing = (error: ListError | undefined): boolean =>
  error?._tag === "RequestError" && error.reason._tag === "NotFound"

/** A resource and its subscription. @category models @since 0.2.0 */
export interface Target {
  readonly resource: ResourceUri
  readonly subscription: SubscriptionId
}

/** Parses the ID of a resource in a subscription. @category decoding @since 0.2.0 */
export const parse = (text: string): Option.Option<Target> =>
  Option.all({
    resource: Schema.decodeOption(ResourceUri)(text),
    subscription: Schema.decodeUnknownOption(SubscriptionId)(ResourceId.subscription(text)),
  })

/** Options of `explain`. @category models @since 0.2.0 */
export interface Options {
  /** Default: `ApiVersion.latest`. */
  readonly apiVersion?: ApiVersion | undefined
  /**
   * Runs each list, and returns the message of its error. An implementation may end lists early: what was read before is kept. Default: only returns
   * the message.
   */
  readonly attempt?: <E extends Failure, R>(
    list: Effect.Effect<void, E, R>,
  ) => Effect.Effect<Result.Result<void, string>, never, R>
}

/** More events of a region are not compared, and the explanation says so. */
const maxCompared = 100

/** How many lists of impacted resources are read at once. */
const concurrency = 8

/**
 * Explains the state of a resource of a subscription, from its current status, its history, its events and those of its subscription, with updates in the last
 * 90 days. A list that fails is part of the explanation. Fails only if there is no such resource, or if all lists fail.
 * @category effects @since 0.2.0
 */
export const explain = Effect.fn("Explain.explain")(function* (
  { resource, subscription }: Target,
  { apiVersion, attempt = (list) => Effect.result(Effect.mapError(list, ({ message }) => message)) }: Options = {},
): Effect.fn.Return<Explanation.Explanation, RequestError, AvailabilityClient | HealthClient> {
  const availability = yield* AvailabilityClient
  const health = yield* HealthClient
  const now = yield* DateTime.now
  const from = DateTime.subtractDuration(now, Duration.days(Limits.activeDaysBack))
  const errors = new Map<string, ListError>()

  const collect = <A>(name: string, pages: Stream.Stream<Pick<Listing.Page<A>, "invalid" | "items">, ListError>) =>
    Effect.suspend(() => {
      const items: Array<A> = []
      let invalid = 0
      const list = Stream.runForEach(pages, (page) =>
        Effect.sync(() => {
          for (const item of page.items) items.push(item)
          invalid += page.invalid.length
        }),
      )
      const noted = Effect.tapError(list, (error) => Effect.sync(() => errors.set(name, error)))
      return Effect.map(attempt(noted), (result): Evidence.Reading<A> => ({
        items,
        invalid,
        problem: Result.isFailure(result) ? result.failure : undefined,
      }))
    })

  const status = availability.current(resource, { apiVersion, recommendedActions: true })
  const lists = yield* Effect.all(
    {
      current: collect("current", Stream.fromEffect(Effect.map(status, (one) => ({ items: [one], invalid: [] })))),
      history: collect("history", availability.pages(Scope.resource(resource), { apiVersion })),
      ownEvents: collect("ownEvents", health.pagesByResource(resource, { apiVersion })),
      subscriptionEvents: collect(
        "subscriptionEvents",
        health.pagesBySubscription(subscription, { apiVersion, queryStartTime: from }),
      ),
    },
    { concurrency: "unbounded" },
  )
  const current = errors.get("current")
  if (
    current?._tag === "RequestError" &&
    (errors.size === 4 || (isMissing(current) && isMissing(errors.get("ownEvents"))))
  )
    return yield* current

  const known = {
    ...lists,
    resource,
    now: DateTime.toEpochMillis(now),
    from: DateTime.toEpochMillis(from),
  }
  // An event without a valid ID stays unread.
  const compared = Evidence.toCompare(known)
    .flatMap((event) => (Schema.is(TrackingId)(event.name) ? [{ event, id: event.name }] : []))
    .slice(0, maxCompared)
  const impacted = yield* Effect.forEach(
    compared,
    ({ event, id }) =>
      Effect.map(
        collect("impacted", health.pagesOfImpactedResources(subscription, id, { apiVersion })),
        (reading) => [HealthEvent.eventKey(event) ?? "", reading] as const,
      ),
    { concurrency },
  )
  return Explanation.make({ ...known, impacted: new Map(impacted) })
})

/** Reads what is known about a resource, and explains its state. */
import { AvailabilityClient } from "@vigil/health-client/AvailabilityClient"
import * as Scope from "@vigil/health-client/Scope"
import { RequestError } from "@vigil/core-http/RequestError"
import { HealthClient } from "@vigil/health-client/HealthClient"
import * as PublicInfo from "@vigil/health-client/PublicInfo"
import { TrackingId } from "@vigil/health-client/TrackingId"
import * as Listing from "@vigil/health-client/Listing"
import { ResourceUri } from "@vigil/health-client/ResourceUri"
import { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Explanation from "@vigil/health-report/Explanation"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as Limits from "@vigil/health-schema/Limits"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

/** A resource and its subscription. @category models @since 0.2.0 */
export interface Target {
  readonly resource: ResourceUri
  readonly subscription: SubscriptionId
}

/**
 * Parses the ID of a resource in a subscription. Ignores a slash at its end, and repeated ones. The ID of a subscription or group is not that of a
 * resource: its events would count as those of a resource.
 * @category decoding @since 0.2.0
 */
export const parse = (text: string): Option.Option<Target> => {
  const id = text.replaceAll(/\/+/g, "/").replace(/\/$/, "")
  return Option.all({
    resource: Option.filter(Schema.decodeOption(ResourceUri)(id), () => ResourceId.type(id) !== undefined),
    subscription: Schema.decodeUnknownOption(SubscriptionId)(ResourceId.subscription(id)),
  })
}

interface Failure {
  readonly message: string
}

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

type Entries<A> = Pick<Listing.Page<A>, "invalid" | "items" | "older">

const isMissing = (error: unknown): boolean => error instanceof RequestError && error.reason._tag === "NotFound"

/**
 * Explains the state of a resource of a subscription, from its current status, its history, its events and those of its subscription, with updates in the last
 * 90 days. A list that fails is part of the explanation. Fails only if the resource does not exist, or if all lists fail.
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

  const collect = <A, R>(pages: Stream.Stream<Entries<A>, Listing.FetchError, R>) =>
    Effect.suspend(() => {
      let error: Listing.FetchError | undefined
      const list = Listing.collect(pages, (list) =>
        attempt(Effect.tapError(list, (failure) => Effect.sync(() => (error = failure)))),
      )
      return Effect.map(list, ({ invalid, items, problem }) => ({ items, invalid: invalid.length, problem, error }))
    })

  const status = availability.current(resource, { apiVersion, recommendedActions: true })
  const lists = yield* Effect.all(
    {
      current: collect(Stream.fromEffect(Effect.map(status, (one) => ({ items: [one], invalid: [], older: 0 })))),
      history: collect(availability.pages(Scope.resource(resource), { apiVersion })),
      ownEvents: collect(health.pagesByResource(resource, { apiVersion })),
      subscriptionEvents: collect(health.pagesBySubscription(subscription, { apiVersion, queryStartTime: from })),
    },
    { concurrency: "unbounded" },
  )
  const errors = Object.values(lists).map(({ error }) => error)
  const isUnknown = isMissing(lists.current.error) && isMissing(lists.ownEvents.error)
  // 404 from one list does not mean that the resource does not exist.
  const failure = errors.find((error) => error instanceof RequestError && (isUnknown || !isMissing(error)))
  if (failure instanceof RequestError && (isUnknown || !errors.includes(undefined))) return yield* failure

  const times = { now: DateTime.toEpochMillis(now), from: DateTime.toEpochMillis(from) }
  const known = { ...lists, ...times, resource }
  const events = Explanation.toCompare(known)
  // An event without a valid ID stays unread.
  const ids = events.flatMap(({ name }) => (Schema.is(TrackingId)(name) ? [name] : [])).slice(0, maxCompared)
  const readImpacted = (id: TrackingId) =>
    Effect.map(
      collect(health.pagesOfImpactedResources(subscription, id, { apiVersion })),
      (list) => [id.toLowerCase(), list] as const,
    )
  const { impacted, metadata } = yield* Effect.all(
    {
      impacted: Effect.forEach(ids, readImpacted, { concurrency }),
      metadata: collect(events.length === 0 ? Stream.empty : PublicInfo.pagesOfMetadata({ apiVersion })),
    },
    { concurrency: "unbounded" },
  )
  return Explanation.make({ ...known, impacted: new Map(impacted), metadata })
})

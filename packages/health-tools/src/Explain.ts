/** Reads what is known about a resource, and explains its state. */
import { RequestError } from "@vigil/core-http/RequestError"
import * as Span from "@vigil/core-http/Span"
import { AvailabilityClient } from "@vigil/health-client/AvailabilityClient"
import type { Connection } from "@vigil/health-client/Connection"
import { HealthClient } from "@vigil/health-client/HealthClient"
import * as Listing from "@vigil/health-client/Listing"
import * as PublicInfo from "@vigil/health-client/PublicInfo"
import * as QueryStartTime from "@vigil/health-client/QueryStartTime"
import { ResourceUri } from "@vigil/health-client/ResourceUri"
import * as Scope from "@vigil/health-client/Scope"
import { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import { tenant } from "@vigil/health-client/Tenant"
import { TrackingId } from "@vigil/health-client/TrackingId"
import type { Evidence, Known, Reading } from "@vigil/health-report/Evidence"
import * as Explanation from "@vigil/health-report/Explanation"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as Limits from "@vigil/health-schema/Limits"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
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
  /** Runs each list, and returns the message of its error. Default: only returns the message. */
  readonly attempt?: <E extends Failure, R>(
    list: Effect.Effect<void, E, R>,
  ) => Effect.Effect<Result.Result<void, string>, never, R>
  /** What was not read of the lists in which the name of the resource was searched. Default: nothing. */
  readonly sameName?: Reading<never> | undefined
  /** How long to read. What was read by then is explained. Default: 18 seconds. */
  readonly timeLimit?: Duration.Input | undefined
  /** Leaves out the events of the tenant, for credentials that may not read them. The explanation says so. Default: false. */
  readonly withoutTenant?: boolean | undefined
}

/** More events are not compared, and the explanation says so. */
const maxCompared = 100

/** How many lists of impacted resources are read at once. */
const concurrency = 8

/** The share of the time for the lists that are read first. */
const firstShare = 0.72

type Entries<A> = Pick<Listing.Page<A>, "invalid" | "items" | "older">

/** What was read of a list, and the error that ended it. */
interface List<A> extends Reading<A> {
  readonly error: Listing.FetchError | undefined
  readonly pages: number
}

/** The status code of an error response. */
const statusOf = (error: Listing.FetchError | undefined): number | undefined =>
  error instanceof RequestError && "status" in error.reason ? error.reason.status : undefined

const isMissing = ({ error }: List<unknown>): boolean => statusOf(error) === 404

/** A list that some services, or some kinds of resources, do not have: one of these status codes means that it has no entries. */
const optional = <A>(list: List<A>, ...statuses: ReadonlyArray<number>): List<A> =>
  list.pages === 0 && statuses.includes(statusOf(list.error) ?? 0) ? { ...list, problem: undefined } : list

/** One page with one entry. */
const one = <A, E, R>(entry: Effect.Effect<A, E, R>): Stream.Stream<Entries<A>, E, R> =>
  Stream.fromEffect(Effect.map(entry, (item) => ({ items: [item], invalid: [], older: 0 })))

const isConfirmed = ({ subject }: Evidence): boolean =>
  subject === "resource" || subject === "parent" || subject === "part"

/**
 * Explains the state of a resource of a subscription, from its statuses, those of the resources in it, its events, those of its subscription and tenant with
 * updates in the last 90 days, the resources that these impact, and emerging issues. A list that fails, or that does not end in time, is part of the
 * explanation. Fails only if the resource does not exist and nothing names it, or if all lists fail.
 * @category effects @since 0.2.0
 */
export const explain = Effect.fnUntraced(function* (
  { resource, subscription }: Target,
  options: Options = {},
): Effect.fn.Return<Explanation.Explanation, RequestError, AvailabilityClient | Connection | HealthClient> {
  const { apiVersion, sameName = { items: [], invalid: 0 } } = options
  const attempt: NonNullable<Options["attempt"]> =
    options.attempt ?? ((list) => Effect.result(Effect.mapError(list, ({ message }) => message)))
  const availability = yield* AvailabilityClient
  const health = yield* HealthClient
  const now = yield* DateTime.now
  const from = DateTime.subtractDuration(now, Duration.days(Limits.activeDaysBack))
  const timeLimit = Duration.toMillis(Duration.fromInputUnsafe(options.timeLimit ?? "18 seconds"))
  const times = { now: DateTime.toEpochMillis(now), from: DateTime.toEpochMillis(from) }

  /** Reads a list until `share` of the time has passed. */
  const collect = <A, R>(pages: Stream.Stream<Entries<A>, Listing.FetchError, R>, share = 1) =>
    Effect.flatMap(Clock.currentTimeMillis, (started) => {
      let error: Listing.FetchError | undefined
      let read = 0
      const counted = Stream.tap(pages, () => Effect.sync(() => (read += 1)))
      const late = `There was no complete response within ${Math.round((timeLimit * share) / 1_000)} seconds.`
      const list = Listing.collect(counted, (list) =>
        Effect.timeoutOrElse(attempt(Effect.tapError(list, (failure) => Effect.sync(() => (error = failure)))), {
          duration: Math.max(0, times.now + timeLimit * share - started),
          orElse: () => Effect.succeed(Result.fail(late)),
        }),
      )
      return Effect.map(list, ({ invalid, items, problem }): List<A> => ({
        items,
        invalid: invalid.length,
        problem,
        error,
        pages: read,
      }))
    })
  const first = <A, R>(pages: Stream.Stream<Entries<A>, Listing.FetchError, R>) => collect(pages, firstShare)

  const query = { apiVersion, recommendedActions: true }
  // As text: the client drops what is older than an instant, such as an active event without an update for 90 days.
  const start = DateTime.formatUtc(from, { locale: "en-US", year: "numeric", month: "numeric", day: "numeric" })
  const period = { apiVersion, queryStartTime: QueryStartTime.raw(start) }
  /** The status of a resource in another one may be in a list of its own. */
  const current = Effect.flatMap(first(one(availability.current(resource, query))), (list) =>
    isMissing(list)
      ? Effect.map(first(one(availability.currentOfChild(resource, query))), (child) =>
          child.problem === undefined ? child : list,
        )
      : Effect.succeed(list),
  )
  const lists = yield* Effect.all(
    {
      current,
      history: first(availability.pages(Scope.resource(resource), { apiVersion })),
      children: first(availability.pages(Scope.children(resource), { apiVersion })),
      ownEvents: first(health.pagesByResource(resource, { apiVersion })),
      subscriptionEvents: first(health.pagesBySubscription(subscription, period)),
      tenantEvents: options.withoutTenant === true ? Effect.succeed(undefined) : first(health.pagesByTenant(period)),
      emergingIssues: first(PublicInfo.pagesOfEmergingIssues({ apiVersion })),
    },
    { concurrency: "unbounded" },
  )
  const all: ReadonlyArray<List<unknown>> = Object.values(lists).filter((list) => list !== undefined)
  const failure = all.find(({ error }) => error instanceof RequestError && statusOf(error) !== 404)?.error
  if (failure instanceof RequestError && all.every(({ error }) => error !== undefined)) return yield* failure

  const known: Known = {
    ...lists,
    ...times,
    resource,
    sameName,
    children: optional(lists.children, 400, 404, 405),
    tenantEvents: lists.tenantEvents,
    emergingIssues: optional(lists.emergingIssues, 400, 404),
  }
  const events = Explanation.toCompare(known)
  // An event without a valid ID stays unread.
  const named = events.flatMap(({ event, source }) =>
    Schema.is(TrackingId)(event.name)
      ? [{ id: event.name, owner: source === "events of the tenant" ? tenant : subscription }]
      : [],
  )
  const { impacted, metadata } = yield* Effect.all(
    {
      impacted: Effect.forEach(
        named.slice(0, maxCompared),
        ({ id, owner }) =>
          Effect.map(
            collect(health.pagesOfImpactedResources(owner, id, { apiVersion })),
            (list) => [id.toLowerCase(), list] as const,
          ),
        { concurrency },
      ),
      metadata: Explanation.needsMetadata(known)
        ? collect(PublicInfo.pagesOfMetadata({ apiVersion }))
        : Effect.succeed({ items: [], invalid: 0 }),
    },
    { concurrency: "unbounded" },
  )
  const explanation = Explanation.make({ ...known, impacted: new Map(impacted), metadata })
  const { error } = lists.current
  const isUnknown = isMissing(lists.current) && isMissing(lists.ownEvents) && !explanation.evidence.some(isConfirmed)
  return error instanceof RequestError && isUnknown ? yield* error : explanation
}, Span.run("Explain.explain"))

/** Reads what is known about a resource, and explains its state. */
import { RequestError } from "@vigil/core-http/RequestError"
import * as Span from "@vigil/core-http/Span"
import { AvailabilityClient } from "@vigil/health-client/AvailabilityClient"
import { HealthClient } from "@vigil/health-client/HealthClient"
import type * as Listing from "@vigil/health-client/Listing"
import * as ListLimit from "@vigil/health-client/ListLimit"
import * as PublicInfo from "@vigil/health-client/PublicInfo"
import { ResourceUri } from "@vigil/health-client/ResourceUri"
import * as Scope from "@vigil/health-client/Scope"
import { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import { type Owner, tenant } from "@vigil/health-client/Tenant"
import { TrackingId } from "@vigil/health-client/TrackingId"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as EventList from "./EventList.js"
import * as ImpactedLists from "./ImpactedLists.js"
import { type Gap, type Known, type Reading, type Source, empty } from "./Evidence.js"
import * as Explanation from "./Explanation.js"
import * as Lists from "./internal/lists.js"
import * as Period from "./internal/period.js"
import * as Subject from "./Subject.js"

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

/** Options of `explain`. @category models @since 0.2.0 */
export interface Options extends Lists.Options {
  /** Default: `ApiVersion.defaultVersion`. */
  readonly apiVersion?: ApiVersion | undefined
  /** What was not read of the lists in which the name of the resource was searched. Default: nothing. */
  readonly sameName?: Gap | undefined
  /** How long to read. What was read by then is explained. Default: 17 seconds. */
  readonly timeLimit?: Duration.Input | undefined
  /** Leaves out the events of the tenant, for credentials that may not read them. The explanation says so. Default: false. */
  readonly withoutTenant?: boolean | undefined
}

/** More events are not compared, and the explanation says so. */
const maxCompared = 100

/** How many lists of impacted resources are read at once. */
const concurrency = 8

const readingOf = ({ events, invalid, problem }: EventList.EventList): Reading<AnyEvent> => ({
  items: events,
  invalid: invalid.length,
  problem,
})

/** Whose lists of impacted resources an event has: each may name others. */
const ownersOf = (sources: ReadonlyArray<Source>, subscription: SubscriptionId): ReadonlyArray<Owner> => {
  if (!sources.includes("events of the tenant")) return [subscription]
  return sources.includes("events of the subscription") ? [subscription, tenant] : [tenant]
}

/** How much of the time is left for impacted resources. */
const lastShare = 0.3

/**
 * Explains the state of a resource of a subscription, from its statuses, those of the resources in it, its events, those of its subscription and tenant with
 * updates in the last 90 days, the resources that these impact, and emerging issues. A list that fails, or that does not end in time, is part of the
 * explanation. Fails only if the resource does not exist and nothing names it, or if all lists fail.
 * @category effects @since 0.2.0
 */
export const explain = Effect.fnUntraced(function* (
  { resource, subscription }: Target,
  options: Options = {},
): Effect.fn.Return<Explanation.Explanation, RequestError, AvailabilityClient | HealthClient> {
  const { apiVersion, sameName = empty, timeLimit = "17 seconds", withoutTenant = false } = options
  const availability = yield* AvailabilityClient
  const health = yield* HealthClient
  const now = yield* Clock.currentTimeMillis
  const from = Period.begin(now)
  const limit = Duration.toMillis(Duration.fromInputUnsafe(timeLimit))
  const runFirst = Lists.runUntil(now + limit * (1 - lastShare), options)
  const runLast = Lists.runUntil(now + limit, options)
  const first = <A, R>(pages: Lists.Pages<A, R>) => Lists.read(pages, runFirst, options)
  const events = (subject: Subject.Subject) =>
    EventList.read(subject, { apiVersion, describe: options.describe, run: runFirst })
  const untilRefused = ListLimit.untilRefused<Listing.FetchError>()

  const query = { apiVersion, recommendedActions: true }
  /** The status of a resource in another one may be in a list of its own. */
  const current = Effect.flatMap(first(Lists.one(availability.current(resource, query))), (list) =>
    Lists.isMissing(list)
      ? Effect.map(first(Lists.one(availability.currentOfChild(resource, query))), (child) =>
          child.problem === undefined ? child : list,
        )
      : Effect.succeed(list),
  )
  const lists = yield* Effect.all(
    {
      current,
      history: first(availability.pages(Scope.resource(resource), { apiVersion })),
      children: first(availability.pages(Scope.children(resource), { apiVersion })),
      ownEvents: events(Subject.resource(resource)),
      subscriptionEvents: events(subscription),
      tenantEvents: withoutTenant ? Effect.succeed(undefined) : events(tenant),
      emergingIssues: events(Subject.everyone),
    },
    { concurrency: "unbounded" },
  )
  const { emergingIssues, ...others } = lists
  const all = [...Object.values(others), emergingIssues.isAbsent ? undefined : emergingIssues].filter(
    (list) => list !== undefined,
  )
  const failure = all.find((list) => list.error instanceof RequestError && !Lists.isMissing(list))?.error
  if (failure instanceof RequestError && all.every(({ error }) => error !== undefined)) return yield* failure

  const known: Known = {
    ...lists,
    resource,
    now,
    from,
    sameName,
    children: Lists.optional(lists.children, 400, 404, 405),
    ownEvents: readingOf(lists.ownEvents),
    subscriptionEvents: readingOf(lists.subscriptionEvents),
    tenantEvents: lists.tenantEvents && readingOf(lists.tenantEvents),
    emergingIssues: { ...readingOf(emergingIssues), items: emergingIssues.issues },
  }
  // An event without a valid ID stays unread.
  const compared = Explanation.toCompare(known)
    .slice(0, maxCompared)
    .flatMap(({ event, sources }) => {
      const id = event.name
      const owners = ownersOf(sources, subscription)
      return Schema.is(TrackingId)(id) ? owners.map((owner) => ({ event, id, owner })) : []
    })
  const { impacted, metadata } = yield* Effect.all(
    {
      impacted: Effect.forEach(
        compared,
        ({ event, id, owner }) =>
          Effect.map(
            Lists.read(
              health.pagesOfImpactedResources(owner, id, { apiVersion }),
              (list) => runLast(untilRefused(list, Subject.key(owner))),
              options,
            ),
            (list) => ({ ...list, event, owner, readAt: undefined }),
          ),
        { concurrency },
      ),
      metadata: Explanation.needsMetadata(known)
        ? Effect.map(Lists.read(PublicInfo.pagesOfMetadata({ apiVersion }), runLast, options), (list) =>
            Lists.optional(list, 404),
          )
        : Effect.succeed(empty),
    },
    { concurrency: "unbounded" },
  )
  const explanation = Explanation.make({
    ...known,
    impacted: ImpactedLists.byEvent({ events: impacted, metadata }),
    metadata,
  })
  const { error } = lists.current
  const isUnknown = Lists.isMissing(lists.current) && Lists.isMissing(lists.ownEvents)
  return error instanceof RequestError && isUnknown && !explanation.evidence.some(Explanation.isConfirmed)
    ? yield* error
    : explanation
}, Span.run("Explain.explain"))

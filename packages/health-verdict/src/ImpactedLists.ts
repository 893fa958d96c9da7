/** Reads which resources the events of now impact. An event whose list fails does not hide the others. */
import { HealthClient } from "@vigil/health-client/HealthClient"
import * as Listing from "@vigil/health-client/Listing"
import * as ListLimit from "@vigil/health-client/ListLimit"
import * as PublicInfo from "@vigil/health-client/PublicInfo"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import { TrackingId } from "@vigil/health-client/TrackingId"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import type { Metadata } from "@vigil/health-schema/Metadata"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import { enumerateSome, plural } from "@vigil/health-text/Sentence"
import * as Severity from "@vigil/health-text/Severity"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Assessment from "./Assessment.js"
import { type FailedList, type Reading, empty } from "./Evidence.js"

/** Each event is a request to each subscription that lists it. */
const maxEvents = 100

/** With the lists that are read at once, fewer than those that stop all requests of the client. */
const maxRefused = 8

/** Whether the service asks for a wait. */
const isRefusal = (error: Listing.FetchError): boolean =>
  error._tag === "RequestError" && error.isRetryable && error.retryAfter !== undefined

/** An event of a subscription. @category models @since 0.3.0 */
export interface SubscriptionEvent {
  readonly subscription: SubscriptionId
  readonly event: HealthEvent.AnyEvent
}

/** What is known of the list of an event. `problem`: why the last reading is not complete. @category models @since 0.3.0 */
export interface ImpactedList extends SubscriptionEvent, Reading<ImpactedResource> {
  /** When `items` were read completely, in milliseconds since 1970; `undefined` if they never were. */
  readonly readAt: number | undefined
}

/** What is known of the lists of events. @category models @since 0.3.0 */
export interface ImpactedLists {
  readonly events: ReadonlyArray<ImpactedList>
  /** Says which services have which types of resources. `undefined`: no event needs it. */
  readonly metadata: Reading<Metadata> | undefined
}

/** Nothing is known. @category constants @since 0.3.0 */
export const none: ImpactedLists = { events: [], metadata: undefined }

/** Runs a list. @category models @since 0.3.0 */
export type Attempt = (
  list: Effect.Effect<void, Listing.FetchError>,
  subscription?: SubscriptionId,
) => Effect.Effect<Result.Result<void, string>>

/** How lists are read. @category models @since 0.3.0 */
export interface Options {
  /** In milliseconds since 1970. */
  readonly now: number
  /** Default: `ApiVersion.defaultVersion`. */
  readonly apiVersion?: ApiVersion.ApiVersion | undefined
  /**
   * Runs the list of a subscription, or the metadata, and returns why it could not be read to its end. It may end the list early. Default: the message of its
   * error.
   */
  readonly attempt?: Attempt | undefined
  /** How many lists of a subscription to read at once. Default: 8. */
  readonly concurrency?: number | "unbounded" | undefined
  /** What is known: a list that fails keeps it, and metadata is not read again. Default: `none`. */
  readonly known?: ImpactedLists | undefined
}

/** Runs a list, and returns the message of its error: the default of `attempt`. @category combinators @since 0.3.0 */
export const messageOf: Attempt = (list) => Effect.result(Effect.mapError(list, ({ message }) => message))

const bySeverity = Order.mapInput(Order.Number, ({ event }: SubscriptionEvent) =>
  Severity.rank(Severity.fromEvent(event)),
)

/** Several records of one event have one list. */
const keyOf = ({ event, subscription }: SubscriptionEvent): unknown => {
  const key = HealthEvent.trackingKey(event)
  return key === undefined ? event : `${subscription} ${key}`
}

/** The first of each. */
const distinct = (all: ReadonlyArray<SubscriptionEvent>): ReadonlyArray<SubscriptionEvent> => {
  const first = new Map<unknown, SubscriptionEvent>()
  for (const one of all) if (!first.has(keyOf(one))) first.set(keyOf(one), one)
  return [...first.values()]
}

const invalidEntries = (count: number): string | undefined =>
  count === 0 ? undefined : `${plural(count, "entry", "entries")} could not be read.`

/**
 * Reads the impacted resources of the active issues and maintenance, the most severe first, at most 100, and with them the metadata.
 * @category effects @since 0.3.0
 */
export const read = Effect.fnUntraced(function* (
  listed: ReadonlyArray<SubscriptionEvent>,
  { apiVersion = ApiVersion.defaultVersion, attempt = messageOf, concurrency = 8, known = none, now }: Options,
): Effect.fn.Return<ImpactedLists, never, HealthClient> {
  const client = yield* HealthClient
  const untilRefused = ListLimit.untilRefused<Listing.FetchError>()
  /** Only a complete list of before is better than nothing. */
  const failed = (one: SubscriptionEvent, read: Reading<ImpactedResource>): ImpactedList => {
    const { event, subscription } = one
    const before = known.events.find((other) => other.readAt !== undefined && keyOf(other) === keyOf(one))
    return { ...read, readAt: undefined, ...before, event, subscription, problem: read.problem }
  }
  /** The subscriptions whose lists were refused in a row. The client stops those of one, and these lists are optional. */
  const refused = new Set<SubscriptionId>()
  const readEvent = (one: SubscriptionEvent): Effect.Effect<ImpactedList> => {
    const { name } = one.event
    if (refused.size >= maxRefused)
      return Effect.succeed(failed(one, { ...empty, problem: "Not requested: the service refused those of others." }))
    if (!Schema.is(TrackingId)(name))
      return Effect.succeed(failed(one, { ...empty, problem: "The event has no valid tracking ID." }))
    const pages = Stream.tapError(client.pagesOfImpactedResources(one.subscription, name, { apiVersion }), (error) =>
      Effect.sync(() => void (isRefusal(error) && refused.add(one.subscription))),
    )
    return Effect.map(
      Listing.collect(pages, (list) => attempt(untilRefused(list, one.subscription), one.subscription)),
      ({ invalid, items, problem: error }) => {
        // An entry without an ID may be any resource.
        const anonymous = items.filter(({ properties }) => !properties?.targetResourceId).length
        const problem = error ?? invalidEntries(invalid.length + anonymous)
        if (error === undefined) refused.clear()
        const read = { items, invalid: invalid.length, problem }
        return problem === undefined ? { ...one, ...read, readAt: now } : failed(one, read)
      },
    )
  }
  const pagesOfMetadata = PublicInfo.pagesOfMetadata({ apiVersion }).pipe(
    Stream.provideService(HealthClient, client),
    // Services without metadata say nothing of types: any service may have them.
    Stream.catchIf(
      (error) => error._tag === "RequestError" && error.reason._tag === "NotFound",
      () => Stream.empty,
    ),
  )
  const readMetadata = Effect.map(
    Listing.collect(pagesOfMetadata, attempt),
    ({ invalid, items, problem = invalidEntries(invalid.length) }) => ({ items, invalid: invalid.length, problem }),
  )
  const active = listed.filter(({ event }) => Assessment.isToRead(event))
  const all = distinct(Arr.sort(active, bySeverity))
  const isKnown = known.metadata !== undefined && known.metadata.problem === undefined
  const { metadata, read } = yield* Effect.all(
    {
      // A subscription that does not respond leaves those of the others.
      read: Effect.map(
        Effect.forEach(
          Object.values(Arr.groupBy(all.slice(0, maxEvents), ({ subscription }) => subscription)),
          (own) => Effect.forEach(own, readEvent, { concurrency }),
          { concurrency },
        ),
        Arr.flatten,
      ),
      metadata: all.length === 0 || isKnown ? Effect.succeed(known.metadata) : readMetadata,
    },
    { concurrency: "unbounded" },
  )
  const problem = `Only those of ${maxEvents} events are read.`
  return { events: [...read, ...all.slice(maxEvents).map((one) => failed(one, { ...empty, problem }))], metadata }
})

/**
 * Returns the lists by event, for `Assessment.make`: the list of an event has the resources of each subscription. What it says of one of another subscription
 * counts only if that has no list of its own.
 * @category conversions @since 0.3.0
 */
export const byEvent = ({ events }: ImpactedLists): ReadonlyMap<string, Reading<ImpactedResource>> =>
  new Map(
    Object.entries(Arr.groupBy(events, ({ event }) => HealthEvent.trackingKey(event) ?? "")).map(([key, all]) => {
      const owners = new Set(all.map(({ subscription }) => subscription.toLowerCase()))
      const own = all.map(({ items, subscription }) =>
        items.filter(({ properties }) => {
          const owner = ResourceId.subscription(properties?.targetResourceId)?.toLowerCase()
          return owner === undefined || owner === subscription.toLowerCase() || !owners.has(owner)
        }),
      )
      const invalid = all.reduce((sum, one) => sum + one.invalid, 0)
      const problem = all.find((one) => one.problem !== undefined)?.problem
      return [key, { items: own.flat(), invalid, problem }]
    }),
  )

const nameOf = ({ event }: ImpactedList): string => event.name || "an event without an ID"

/** Returns the metadata, if all of it was read. @category getters @since 0.3.0 */
export const completeMetadata = ({ metadata }: ImpactedLists): ReadonlyArray<Metadata> | undefined =>
  metadata?.problem === undefined ? metadata?.items : undefined

/** Returns what could not be read: the events that have one problem are one list. @category conversions @since 0.3.0 */
export const failures = ({ events, metadata }: ImpactedLists): ReadonlyArray<FailedList> => {
  const failed = Arr.groupBy(
    events.filter(({ problem }) => problem !== undefined),
    ({ problem, readAt }) => `${readAt} ${problem}`,
  )
  const named = Object.values(failed).map((all) => {
    const [{ problem = "", readAt }] = all
    return { source: `The impacted resources of ${enumerateSome([...new Set(all.map(nameOf))])}`, problem, readAt }
  })
  const problem = metadata?.problem
  const source = "The metadata of services"
  return problem === undefined ? named : [...named, { source, problem, readAt: undefined }]
}

/** Reads which resources the events of now impact. An event whose list fails does not hide the others. */
import { HealthClient } from "@vigil/health-client/HealthClient"
import * as Listing from "@vigil/health-client/Listing"
import * as ListLimit from "@vigil/health-client/ListLimit"
import * as PublicInfo from "@vigil/health-client/PublicInfo"
import type { Owner } from "@vigil/health-client/Tenant"
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
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Assessment from "./Assessment.js"
import type * as EventList from "./EventList.js"
import { type FailedList, type Reading, empty } from "./Evidence.js"
import * as Subject from "./Subject.js"

/** Each event is a request to each subscription that lists it. */
const maxEvents = 100

/** An event, and the subscription or the tenant whose list has it. @category models @since 0.4.0 */
export interface OwnedEvent {
  readonly owner: Owner
  readonly event: HealthEvent.AnyEvent
}

/** What is known of the list of an event. `problem`: why the last reading is not complete. @category models @since 0.3.0 */
export interface ImpactedList extends OwnedEvent, Reading<ImpactedResource> {
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

/** How lists are read. @category models @since 0.3.0 */
export interface Options<E = never> extends Pick<EventList.Options<E>, "apiVersion" | "describe"> {
  /** In milliseconds since 1970. */
  readonly now: number
  /** Runs the list of a subscription or the tenant, or that of everyone: the metadata. It may end the list early. Default: runs it. */
  readonly run?: EventList.Run<E> | undefined
  /** How many lists of a subscription to read at once. Default: 8. */
  readonly concurrency?: number | "unbounded" | undefined
  /** Whether emerging issues need the metadata, also without events. Default: false. */
  readonly needsMetadata?: boolean | undefined
  /** What is known: a list that fails keeps it, and metadata is not read again. Default: `none`. */
  readonly known?: ImpactedLists | undefined
}

const bySeverity = Order.mapInput(Order.Number, ({ event }: OwnedEvent) => Severity.rank(Severity.fromEvent(event)))

/** Several records of one event have one list. */
const keyOf = ({ event, owner }: OwnedEvent): unknown => {
  const key = HealthEvent.trackingKey(event)
  return key === undefined ? event : `${Subject.key(owner)} ${key}`
}

/** The first of each. */
const distinct = (all: ReadonlyArray<OwnedEvent>): ReadonlyArray<OwnedEvent> => {
  const first = new Map<unknown, OwnedEvent>()
  for (const one of all) if (!first.has(keyOf(one))) first.set(keyOf(one), one)
  return [...first.values()]
}

const invalidEntries = (count: number): string | undefined =>
  count === 0 ? undefined : `${plural(count, "entry", "entries")} could not be read.`

/**
 * Reads the impacted resources of the active issues and maintenance, the most severe first, at most 100, and with them the metadata.
 * @category effects @since 0.3.0
 */
export const read = Effect.fnUntraced(function* <E extends EventList.Described = never>(
  listed: ReadonlyArray<OwnedEvent>,
  {
    apiVersion = ApiVersion.defaultVersion,
    concurrency = 8,
    describe = ({ message }) => message,
    known = none,
    needsMetadata = false,
    now,
    run = (list) => list,
  }: Options<E>,
): Effect.fn.Return<ImpactedLists, never, HealthClient> {
  const client = yield* HealthClient
  const untilRefused = ListLimit.untilRefused<Listing.FetchError>()
  /** Only a complete list of before is better than nothing. */
  const failed = (one: OwnedEvent, read: Reading<ImpactedResource>): ImpactedList => {
    const { event, owner } = one
    const before = known.events.find((other) => other.readAt !== undefined && keyOf(other) === keyOf(one))
    return { ...read, readAt: undefined, ...before, event, owner, problem: read.problem }
  }
  const collect = <A>(
    pages: Stream.Stream<Listing.Page<A>, Listing.FetchError>,
    limit: (list: Effect.Effect<void, Listing.FetchError>) => Effect.Effect<void, EventList.ListError<E>>,
  ) =>
    Effect.map(
      Listing.collect(pages, (list) => Effect.result(limit(list))),
      ({ invalid, items, problem }) => ({ items, invalid: invalid.length, problem: problem && describe(problem) }),
    )
  const readEvent = (one: OwnedEvent): Effect.Effect<ImpactedList> => {
    const { event, owner } = one
    if (!Schema.is(TrackingId)(event.name))
      return Effect.succeed(failed(one, { ...empty, problem: "The event has no valid tracking ID." }))
    const pages = client.pagesOfImpactedResources(owner, event.name, { apiVersion })
    return Effect.map(
      collect(pages, (list) => run(untilRefused(list, Subject.key(owner)), owner)),
      ({ invalid, items, problem: error }) => {
        // An entry without an ID may be any resource.
        const anonymous = items.filter(({ properties }) => !properties?.targetResourceId).length
        const problem = error ?? invalidEntries(invalid + anonymous)
        const read = { items, invalid, problem }
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
    collect(pagesOfMetadata, (list) => run(list, Subject.everyone)),
    ({ invalid, items, problem = invalidEntries(invalid) }) => ({ items, invalid, problem }),
  )
  const active = listed.filter(({ event }) => Assessment.isToRead(event))
  const all = distinct(Arr.sort(active, bySeverity))
  const isKnown = known.metadata !== undefined && known.metadata.problem === undefined
  const { metadata, read } = yield* Effect.all(
    {
      // A subscription that does not respond leaves those of the others.
      read: Effect.map(
        Effect.forEach(
          Object.values(Arr.groupBy(all.slice(0, maxEvents), ({ owner }) => Subject.key(owner))),
          (own) => Effect.forEach(own, readEvent, { concurrency }),
          { concurrency },
        ),
        Arr.flatten,
      ),
      metadata: (all.length === 0 && !needsMetadata) || isKnown ? Effect.succeed(known.metadata) : readMetadata,
    },
    { concurrency: "unbounded" },
  )
  const problem = `Only those of ${maxEvents} events are read.`
  return { events: [...read, ...all.slice(maxEvents).map((one) => failed(one, { ...empty, problem }))], metadata }
})

/** The resources that several lists of an event name: what one says of another subscription counts only if that has no list of its own, and each counts once. */
const join = (all: ReadonlyArray<ImpactedList>): ReadonlyArray<ImpactedResource> => {
  const owners = new Set(all.map(({ owner }) => Subject.key(owner)))
  const own = all.flatMap(({ items, owner }) =>
    items.filter(({ properties }) => {
      if (!Subject.isSubscription(owner)) return true
      const id = ResourceId.subscription(properties?.targetResourceId)?.toLowerCase()
      return id === undefined || id === owner.toLowerCase() || !owners.has(`subscription/${id}`)
    }),
  )
  if (all.length === 1) return own
  const keyOf = ({ properties }: ImpactedResource) =>
    properties?.targetResourceId ? ResourceId.key(properties.targetResourceId) : undefined
  const first = new Map<unknown, ImpactedResource>()
  for (const one of own) if (!first.has(keyOf(one) ?? one)) first.set(keyOf(one) ?? one, one)
  return [...first.values()]
}

/** Returns the lists by event, for `Assessment.make`: that of an event has the resources of each subscription and of the tenant. @category conversions @since 0.3.0 */
export const byEvent = ({ events }: ImpactedLists): ReadonlyMap<string, Reading<ImpactedResource>> =>
  new Map(
    Object.entries(Arr.groupBy(events, ({ event }) => HealthEvent.trackingKey(event) ?? "")).map(([key, all]) => {
      const invalid = all.reduce((sum, one) => sum + one.invalid, 0)
      const problem = all.find((one) => one.problem !== undefined)?.problem
      return [key, { items: join(all), invalid, problem }]
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

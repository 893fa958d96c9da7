/** Reads which resources the events of now impact. An event whose list fails does not hide the others. */
import { Connection } from "@vigil/health-client/Connection"
import { HealthClient } from "@vigil/health-client/HealthClient"
import * as Listing from "@vigil/health-client/Listing"
import * as PublicInfo from "@vigil/health-client/PublicInfo"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import { TrackingId } from "@vigil/health-client/TrackingId"
import * as Assessment from "@vigil/health-report/Assessment"
import type { Reading } from "@vigil/health-report/Evidence"
import type { FailedList } from "@vigil/health-report/Snapshot"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import type { Metadata } from "@vigil/health-schema/Metadata"
import { enumerateSome, plural } from "@vigil/health-text/Sentence"
import * as Severity from "@vigil/health-text/Severity"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

/** Each event is a request to each subscription that lists it. */
const maxEvents = 100

/** How many lists are read at once. */
const concurrency = 8

/** An event of a subscription. @category models @since 0.3.0 */
export interface Listed {
  readonly subscription: SubscriptionId
  readonly event: HealthEvent.AnyEvent
}

/** What is known of the list of an event. `problem`: why the last reading is not complete. @category models @since 0.3.0 */
export interface OfEvent extends Listed, Reading<ImpactedResource> {
  /** When `items` were read completely, in milliseconds since 1970; `undefined` if they never were. */
  readonly readAt: number | undefined
}

/** What is known of the lists of events. @category models @since 0.3.0 */
export interface Impacted {
  readonly events: ReadonlyArray<OfEvent>
  /** How many events were not read, because there are more than 100. */
  readonly left: number
  /** Says which services have which types of resources. `undefined`: it was not read, and every service may have them. */
  readonly metadata: ReadonlyArray<Metadata> | undefined
}

/** Nothing is known. @category constants @since 0.3.0 */
export const none: Impacted = { events: [], left: 0, metadata: undefined }

/** How lists are read. @category models @since 0.3.0 */
export interface Options {
  /** In milliseconds since 1970. */
  readonly now: number
  readonly apiVersion: ApiVersion
  /** Runs the list of a subscription, or the metadata, and returns its problem; as of `Listing.collect`. */
  readonly attempt: (
    list: Effect.Effect<void, Listing.FetchError>,
    subscription?: SubscriptionId,
  ) => Effect.Effect<Result.Result<void, string>>
  /** What is known: a list that fails keeps it, and metadata is not read again. Default: `none`. */
  readonly known?: Impacted | undefined
}

const bySeverity = Order.mapInput(Order.Number, ({ event }: Listed) => Severity.rank(Severity.fromEvent(event)))

/** Returns whether two are of one event of one subscription. */
const isSame = (one: Listed, other: Listed): boolean =>
  one.subscription === other.subscription && HealthEvent.trackingKey(one.event) === HealthEvent.trackingKey(other.event)

/**
 * Reads the impacted resources of the issues and the maintenance under way, the most severe first, at most 100, and with them the metadata.
 * @category effects @since 0.3.0
 */
export const read = Effect.fnUntraced(function* (
  listed: ReadonlyArray<Listed>,
  { apiVersion, attempt, known = none, now }: Options,
): Effect.fn.Return<Impacted, never, Connection | HealthClient> {
  const client = yield* HealthClient
  const pagesOfMetadata = Stream.provideService(
    PublicInfo.pagesOfMetadata({ apiVersion }),
    Connection,
    yield* Connection,
  )
  const readEvent = (one: Listed): Effect.Effect<OfEvent> => {
    const failed = (problem: string, items: ReadonlyArray<ImpactedResource> = []): OfEvent => {
      const before = known.events.find((other) => isSame(one, other))
      return { items, invalid: 0, readAt: undefined, ...before, ...one, problem }
    }
    const { name } = one.event
    if (!Schema.is(TrackingId)(name)) return Effect.succeed(failed("The event has no valid tracking ID."))
    const pages = client.pagesOfImpactedResources(one.subscription, name, { apiVersion })
    return Effect.map(
      Listing.collect(pages, (list) => attempt(list, one.subscription)),
      ({ invalid, items, problem }) =>
        problem === undefined ? { ...one, items, invalid: invalid.length, readAt: now } : failed(problem, items),
    )
  }
  const all = Arr.sort(
    listed.filter(({ event }) => Assessment.isUnderWay(event, now)),
    bySeverity,
  )
  const wanted = all.slice(0, maxEvents)
  const metadata =
    all.length === 0 || known.metadata?.length
      ? Effect.succeed(known.metadata)
      : Effect.map(Listing.collect(pagesOfMetadata, attempt), ({ items, problem }) =>
          problem === undefined ? items : known.metadata,
        )
  return yield* Effect.all(
    {
      events: Effect.forEach(wanted, readEvent, { concurrency }),
      metadata,
      left: Effect.succeed(all.length - wanted.length),
    },
    { concurrency: "unbounded" },
  )
})

/** Returns the lists by event, for `Assessment.make`: the list of an event has the resources of each subscription. @category conversions @since 0.3.0 */
export const byEvent = ({ events }: Impacted): ReadonlyMap<string, Reading<ImpactedResource>> =>
  new Map(
    Object.entries(Arr.groupBy(events, ({ event }) => HealthEvent.trackingKey(event) ?? "")).map(([key, all]) => [
      key,
      {
        items: all.flatMap(({ items }) => items),
        invalid: all.reduce((sum, { invalid }) => sum + invalid, 0),
        problem: all.find(({ problem }) => problem !== undefined)?.problem,
      },
    ]),
  )

const nameOf = ({ event }: OfEvent): string => event.name || "an event without an ID"

/** Returns what could not be read: the events that have one problem are one list. @category conversions @since 0.3.0 */
export const failures = ({ events, left }: Impacted): ReadonlyArray<FailedList> => {
  const failed = Arr.groupBy(
    events.filter(({ problem }) => problem !== undefined),
    ({ problem, readAt }) => `${readAt} ${problem}`,
  )
  const named = Object.values(failed).map((all) => {
    const [{ problem = "", readAt }] = all
    return { source: `The impacted resources of ${enumerateSome([...new Set(all.map(nameOf))])}`, problem, readAt }
  })
  const source = `The impacted resources of ${plural(left, "event")}`
  const problem = `Only those of ${maxEvents} events are read.`
  return left === 0 ? named : [...named, { source, problem, readAt: undefined }]
}

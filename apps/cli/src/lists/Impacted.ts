/** Reads which resources the events of now impact. An event whose list fails does not hide the others. */
import * as HealthConnection from "@vigil/health-client/Connection"
import * as Listing from "@vigil/health-client/Listing"
import * as PublicInfo from "@vigil/health-client/PublicInfo"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import { TrackingId } from "@vigil/health-client/TrackingId"
import * as Assessment from "@vigil/health-report/Assessment"
import type { Reading } from "@vigil/health-report/Evidence"
import type { FailedList } from "@vigil/health-report/Snapshot"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import type { Metadata } from "@vigil/health-schema/Metadata"
import * as Severity from "@vigil/health-text/Severity"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Failure from "../command/Failure.js"
import type { AnyEvent } from "../connection/AnyEvent.js"
import type * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import { enumerateSome, plural } from "../output/Output.js"
import type * as Lists from "./Lists.js"

/** Each event is a request to each subscription that lists it. */
const maxEvents = 100

/** What was read of the event of a subscription. `problem`: the last reading failed, and `items` are of `readAt`. */
interface OfEvent extends Reading<ImpactedResource> {
  readonly event: AnyEvent
  readonly list: Pick<Lists.Subject, "id">
  readonly readAt: number | undefined
}

export interface Impacted {
  readonly events: ReadonlyArray<OfEvent>
  /** How many events were not read, because there are too many. */
  readonly left: number
  /** Says which services have which types of resources. `undefined`: it was not read, and every service may have them. */
  readonly metadata: ReadonlyArray<Metadata> | undefined
}

export const none: Impacted = { events: [], left: 0, metadata: undefined }

/** The events of a subscription. */
interface Listed {
  readonly list: Pick<Lists.Subject, "id">
  readonly events: ReadonlyArray<AnyEvent>
}

const wantedOf = (lists: ReadonlyArray<Listed>, now: number) =>
  lists
    .flatMap(({ events, list }) => events.map((event) => ({ event, list })))
    .filter(({ event }) => Assessment.isUnderWay(event, now))
    .toSorted(
      (one, other) => Severity.rank(Severity.fromEvent(one.event)) - Severity.rank(Severity.fromEvent(other.event)),
    )

const isSame = (one: OfEvent, { event, list }: Pick<OfEvent, "event" | "list">): boolean =>
  one.list.id === list.id && HealthEvent.trackingKey(one.event) === HealthEvent.trackingKey(event)

type Client = Pick<Connection.Health, "apiVersion" | "client" | "service">

/** The most severe events come first. A list that fails keeps what `known` has of it. */
export const read = Effect.fnUntraced(function* (
  { apiVersion, client, service }: Client,
  lists: ReadonlyArray<Listed>,
  now: number,
  known: Impacted = none,
) {
  const readEvent = (wanted: Pick<OfEvent, "event" | "list">): Effect.Effect<OfEvent> => {
    const before = known.events.find((one) => isSame(one, wanted))
    const failed = (problem: string): OfEvent => ({
      items: [],
      invalid: 0,
      readAt: undefined,
      ...before,
      ...wanted,
      problem,
    })
    const { name } = wanted.event
    if (!Schema.is(TrackingId)(name)) return Effect.succeed(failed("The event has no valid tracking ID."))
    const pages = client.pagesOfImpactedResources(SubscriptionId.make(wanted.list.id), name, { apiVersion })
    return Effect.map(Listing.collect(pages, Effect.result), ({ invalid, items, problem }) =>
      problem === undefined
        ? { ...wanted, items, invalid: invalid.length, readAt: now }
        : failed(Failure.plain(problem)),
    )
  }
  const all = wantedOf(lists, now)
  const wanted = all.slice(0, maxEvents)
  const metadata =
    all.length === 0 || known.metadata?.length
      ? Effect.succeed(known.metadata)
      : Listing.collect(PublicInfo.pagesOfMetadata({ apiVersion }), Effect.result).pipe(
          Effect.map(({ items, problem }) => (problem === undefined ? items : known.metadata)),
          Effect.provideService(HealthConnection.Connection, service),
        )
  return yield* Effect.all(
    {
      events: Effect.forEach(wanted, readEvent, { concurrency: Subscriptions.concurrency }),
      metadata,
      left: Effect.succeed(all.length - wanted.length),
    },
    { concurrency: "unbounded" },
  )
})

/** The lists by event. The list of an event has the resources of each subscription. */
export const readings = ({ events }: Impacted): ReadonlyMap<string, Reading<ImpactedResource>> =>
  new Map(
    Array.from(
      Map.groupBy(events, ({ event }) => HealthEvent.trackingKey(event) ?? ""),
      ([key, all]) => [
        key,
        {
          items: all.flatMap(({ items }) => items),
          invalid: all.reduce((sum, { invalid }) => sum + invalid, 0),
          problem: all.find(({ problem }) => problem !== undefined)?.problem,
        },
      ],
    ),
  )

const nameOf = ({ event }: OfEvent): string => event.name || "an event without an ID"

/** What could not be read: the events that have one problem are one list. */
export const failures = ({ events, left }: Impacted): ReadonlyArray<FailedList> => {
  const failed = Map.groupBy(
    events.filter(({ problem }) => problem !== undefined),
    ({ problem, readAt }) => `${readAt} ${problem}`,
  )
  const named = Array.from(failed.values(), (all) => {
    const names = enumerateSome([...new Set(all.map(nameOf))])
    const [{ problem = "", readAt } = {}] = all
    return { source: `The impacted resources of ${names}`, problem, readAt: readAt ?? undefined }
  })
  const source = `The impacted resources of ${plural(left, "event")}`
  const problem = `Only those of ${maxEvents} events are read.`
  return left === 0 ? named : [...named, { source, problem, readAt: undefined }]
}

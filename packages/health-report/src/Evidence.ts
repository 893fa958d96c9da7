/** What is known about a resource: its statuses, and the events that name it or its region. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "./internal/moment.js"
import * as Placed from "./internal/placed.js"

/** What was read of a list. @category models @since 0.2.0 */
export interface Reading<A> {
  readonly items: ReadonlyArray<A>
  /** How many entries are invalid. */
  readonly invalid: number
  /** Why the list is not complete. */
  readonly problem?: string | undefined
}

/** All that was read about a resource. Times are in milliseconds since 1970. @category models @since 0.2.0 */
export interface Readings {
  readonly resource: string
  readonly now: number
  /** Events without an update since then are not listed. */
  readonly from: number
  readonly current: Reading<AvailabilityStatus.AvailabilityStatus>
  readonly history: Reading<AvailabilityStatus.AvailabilityStatus>
  /** The events of the resource's own list. */
  readonly ownEvents: Reading<HealthEvent.AnyEvent>
  /** The events of its subscription. */
  readonly subscriptionEvents: Reading<HealthEvent.AnyEvent>
  /** The impacted resources of each event of `toCompare`, by `HealthEvent.eventKey`. */
  readonly impacted: ReadonlyMap<string, Reading<ImpactedResource>>
}

/** What is read first. @category models @since 0.2.0 */
export type Known = Omit<Readings, "impacted">

/** Where evidence comes from. @category models @since 0.2.0 */
export type Source =
  | "current status"
  | "history"
  | "events of the resource"
  | "events of the subscription"
  | "impacted resources"

/** One fact. Times are in milliseconds since 1970, and `undefined` if unknown. @category models @since 0.2.0 */
export interface Evidence extends Placed.Phase {
  /** `notice`: an advisory, a review or billing, which explains nothing by itself. */
  readonly cause: "platform" | "maintenance" | "customer" | "notice"
  /**
   * `resource`: it names the resource. `service`: it names the service and the region, and no resources. `uncertain`: it may concern the service.
   * `other`: it concerns other resources or services in the region.
   */
  readonly about: "resource" | "service" | "uncertain" | "other"
  readonly title: string
  readonly trackingId: string | undefined
  readonly sources: ReadonlyArray<Source>
  /** When the service last confirmed it. */
  readonly updated: number | undefined
}

type Status = AvailabilityStatus.AvailabilityStatus

const occurred = ({ properties }: Status): number | undefined => Moment.parse(properties?.occuredTime)

/** The current status, then the history, latest first. The history repeats the current one. */
const statusesOf = ({ current, history }: Known): ReadonlyArray<Status> => [
  ...current.items,
  ...history.items
    .filter((one) => !current.items.some((status) => occurred(status) === occurred(one)))
    .toSorted((one, other) => Timestamp.latestFirst(one.properties?.occuredTime, other.properties?.occuredTime)),
]

const hasState = ({ properties }: Status): boolean => Boolean(properties?.availabilityState)

/** Returns the current status, else the latest of the history. @category getters @since 0.2.0 */
export const latestStatus = (readings: Known): Status | undefined =>
  readings.current.items[0] ?? statusesOf(readings).find(hasState)

/** What the statuses say. A state lasts until the next one. An entry without a state is a short event. */
const fromStatuses = (readings: Known): ReadonlyArray<Evidence> => {
  const latest = latestStatus(readings)
  let next: number | undefined
  return statusesOf(readings).flatMap((status): ReadonlyArray<Evidence> => {
    const { recentlyResolved: resolved, ...properties } = status.properties ?? {}
    const since = occurred(status)
    const isNow = status === latest
    const until = hasState(status) ? next : since
    if (hasState(status)) next = since
    const isCause = !AvailabilityStatus.isAvailable(status) || AvailabilityStatus.activeEvents(status).length > 0
    const cause = isCause ? AvailabilityStatus.cause(status) : undefined
    const facts = {
      about: "resource",
      title: Labels.orElse(properties.summary, Labels.orElse(properties.title, "The status has no summary")),
      trackingId: properties.healthEventId || undefined,
      sources: [readings.current.items.includes(status) ? "current status" : "history"],
      updated: Moment.parse(properties.reportedTime) ?? since,
    } as const
    const own: Placed.Phase = isNow ? { phase: "now", since, until: undefined } : { phase: "ended", since, until }
    const recovery: Evidence = {
      ...facts,
      cause: "platform",
      phase: "ended",
      since: Moment.parse(resolved?.unavailableOccuredTime),
      until: Moment.parse(resolved?.resolvedTime),
      title: Labels.orElse(resolved?.unavailableSummary, "A problem of the platform was resolved"),
    }
    return [...(cause === undefined ? [] : [{ ...facts, ...own, cause }]), ...(isNow && resolved ? [recovery] : [])]
  })
}

const causeOf = (event: HealthEvent.AnyEvent): Evidence["cause"] => {
  if (Placed.isMaintenance(event)) return "maintenance"
  return HealthEvent.isNotice(event) ? "notice" : "platform"
}

interface Entry {
  readonly event: HealthEvent.AnyEvent
  readonly phase: Placed.Phase
  readonly services: ReadonlyArray<string>
  readonly sources: ReadonlyArray<Source>
}

/** The events of both lists that may concern the region of the resource, or name it. Of two versions of an event, the active one counts. */
const entriesOf = (readings: Known): ReadonlyArray<Entry> => {
  const region = latestStatus(readings)?.location ?? undefined
  const lists = [
    ["events of the resource", readings.ownEvents.items],
    ["events of the subscription", readings.subscriptionEvents.items],
  ] as const
  const all = lists.flatMap(([source, events]) => events.map((event) => ({ source, event })))
  return Array.from(
    Map.groupBy(all, ({ event }) => HealthEvent.eventKey(event) ?? event).values(),
    (copies): ReadonlyArray<Entry> => {
      const found = copies.find(({ event }) => !HealthEvent.isResolved(event)) ?? copies[0]
      const sources = [...new Set(copies.map(({ source }) => source))]
      const places = found && Placed.placesIn(found.event, region)
      if (found === undefined || (places === undefined && !sources.includes("events of the resource"))) return []
      const phase = Placed.phaseOf(found.event, places ?? [], readings.now)
      return [{ event: found.event, phase, sources, services: (places ?? []).map(({ service }) => service) }]
    },
  ).flat()
}

/** Whether the resource's own list, or its status, names an event. */
const isNamed = (readings: Known, { event, sources }: Entry): boolean =>
  sources.includes("events of the resource") ||
  (HealthEvent.trackingKey(event) !== undefined &&
    HealthEvent.trackingKey(event) === latestStatus(readings)?.properties?.healthEventId?.toLowerCase())

/** What ended at most this long ago, in milliseconds, may still explain a problem: services show recently resolved problems as long. */
export const recent = 24 * 3_600_000

const isRecent = ({ phase, until }: Placed.Phase, now: number): boolean =>
  phase !== "ended" || until === undefined || until > now - recent

const mayExplain = ({ event, phase }: Entry, now: number): boolean =>
  causeOf(event) !== "notice" && phase.phase !== "upcoming" && isRecent(phase, now)

/**
 * Returns the events of the subscription, active or recently resolved, that may concern the resource and do not name it. Read their impacted resources.
 * @category getters @since 0.2.0
 */
export const toCompare = (readings: Known): ReadonlyArray<HealthEvent.AnyEvent> =>
  entriesOf(readings)
    .filter((entry) => mayExplain(entry, readings.now) && !isNamed(readings, entry))
    .map(({ event }) => event)

const fold = (id: string | null | undefined): string =>
  (id ?? "")
    .toLowerCase()
    .split("/")
    .filter((segment) => segment !== "")
    .join("/")

/** Whether an ID is that of the resource, of a part of it, or of what contains it. */
const covers = (resource: string, id: string | null | undefined): boolean => {
  const [one, other] = [`${fold(resource)}/`, `${fold(id)}/`]
  return other !== "/" && (one.startsWith(other) || other.startsWith(one))
}

/** Of an event that names no resources. Without the names of services, it may concern any. */
const nearness = (serves: ReadonlyArray<boolean | undefined>): Evidence["about"] => {
  if (serves.includes(true)) return "service"
  return serves.length === 0 || serves.includes(undefined) ? "uncertain" : "other"
}

/** What events say: those that name the resource, and the active ones of its region. */
const fromEvents = (readings: Readings): ReadonlyArray<Evidence> => {
  const entries = entriesOf(readings)
  const named = [
    ...entries.filter((entry) => isNamed(readings, entry)).flatMap(({ event }) => Labels.services(event)),
    ...statusesOf(readings)
      .flatMap(({ properties }) => properties?.serviceImpactingEvents ?? [])
      .map(({ incidentProperties }) => incidentProperties?.service ?? ""),
  ]
  const serves = Placed.servesType(
    ResourceId.type(readings.resource),
    new Set(named.map((name) => name.toLowerCase()).filter((name) => name !== "")),
  )
  return entries.flatMap((entry): ReadonlyArray<Evidence> => {
    const { event, phase, services, sources } = entry
    const impacted = readings.impacted.get(HealthEvent.eventKey(event) ?? "")
    const isListed = impacted?.items.some(({ properties }) => covers(readings.resource, properties?.targetResourceId))
    const isListOfOthers =
      impacted && impacted.items.length > 0 && impacted.problem === undefined && impacted.invalid === 0
    const about =
      isNamed(readings, entry) || isListed ? "resource" : isListOfOthers ? "other" : nearness(services.map(serves))
    const isShown =
      about === "resource" || (mayExplain(entry, readings.now) && (about === "service" || phase.phase === "now"))
    if (!isShown) return []
    return [
      {
        ...phase,
        cause: causeOf(event),
        about,
        title: Labels.title(event),
        trackingId: event.name ?? undefined,
        sources: isListed ? [...sources, "impacted resources"] : sources,
        updated: Moment.parse(event.properties?.lastUpdateTime),
      },
    ]
  })
}

const order = {
  about: ["resource", "service", "uncertain", "other"],
  phase: ["now", "ended", "upcoming"],
  cause: ["platform", "maintenance", "customer", "notice"],
} as const

const rank = ({ about, cause, phase }: Evidence): number =>
  order.about.indexOf(about) * 16 + order.phase.indexOf(phase) * 4 + order.cause.indexOf(cause)

/** Returns all evidence: that about the resource first, then that of now, and events before statuses. @category getters @since 0.2.0 */
export const all = (readings: Readings): ReadonlyArray<Evidence> =>
  [...fromEvents(readings), ...fromStatuses(readings)]
    .filter((one) => isRecent(one, readings.now) && (one.cause !== "notice" || one.phase === "now"))
    .toSorted((one, other) => rank(one) - rank(other))

/** What events say about a resource: those that name it, and those of its service and region. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Events from "@vigil/health-schema/Events"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Impact from "@vigil/health-schema/Impact"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import type { Evidence, Known, Readings, Source } from "../Evidence.js"
import * as Age from "./age.js"
import * as Listed from "./listed.js"
import * as Places from "./places.js"
import * as Progress from "./progress.js"
import * as Statuses from "./statusEvidence.js"

type Event = HealthEvent.AnyEvent

type Phase = Pick<Evidence, "phase" | "since" | "until">

const hasType = ({ properties }: Event, type: "EmergingIssues" | "PlannedMaintenance" | "RCA"): boolean =>
  OpenEnum.equals(properties?.eventType, type)

const isMaintenance = (event: Event): boolean => hasType(event, "PlannedMaintenance")

/** Whether the platform says that it did not begin the event. */
const isForeign = ({ properties }: Event): boolean => properties?.platformInitiated === false

/** A review is about an outage that ended. Events of the source `ResourceHealth` are about one resource, and its owner may have begun them. */
const causeOf = (event: Event): Evidence["cause"] => {
  if (isForeign(event) && OpenEnum.equals(event.properties?.eventSource, "ResourceHealth")) return "customer"
  if (isMaintenance(event)) return "maintenance"
  const isReview = hasType(event, "RCA") && Moment.parse(event.properties?.impactMitigationTime) !== undefined
  return HealthEvent.isNotice(event) && !isReview ? "notice" : "platform"
}

type Place = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion> & {
  readonly service: Places.ServiceRelation
  readonly region: Places.Relation
}

type Region = (name: string) => Places.Relation

type Serves = (name: string) => Places.ServiceRelation

const placesOf = ({ properties }: Event, region: Region, serves: Serves): ReadonlyArray<Place> => {
  const impacts: ReadonlyArray<Impact.Impact<ApiVersion.ApiVersion>> = properties?.impact?.length
    ? properties.impact
    : [{}]
  return impacts.flatMap(({ impactedRegions, impactedService }) => {
    const service = serves(impactedService ?? "")
    return (impactedRegions?.length ? impactedRegions : [{ impactedRegion: "" }]).map((one) => ({
      ...one,
      service,
      region: region(one.impactedRegion ?? ""),
    }))
  })
}

/**
 * Maintenance has its window. An issue lasts until it is resolved, whatever its times say: services leave a mitigation time in active events. It may be
 * resolved, or a false positive, in the region of the resource only. `undefined`: it was cancelled, or never happened.
 */
const phaseOf = (event: Event, places: ReadonlyArray<Place>, now: number): Phase | undefined => {
  const { impactMitigationTime, impactStartTime, lastUpdateTime, status } = event.properties ?? {}
  const [since, end, updated] = [impactStartTime, impactMitigationTime, lastUpdateTime].map(Moment.parse)
  const progress = Progress.of(status)
  const real = places.filter((place) => !Events.isFalsePositiveIn(place))
  const isFalse = Events.isFalsePositive(event) || (places.length > 0 && real.length === 0)
  if (progress === "cancelled" || isFalse) return undefined
  if (progress === "ended" || (hasType(event, "RCA") && end !== undefined)) {
    const isPossible = end !== undefined && end <= now && !(since !== undefined && end < since)
    return { phase: "ended", since, until: isPossible ? end : updated }
  }
  if (isMaintenance(event)) {
    if (since !== undefined ? since > now : progress === "upcoming") return { phase: "upcoming", since, until: end }
    return { phase: end !== undefined && end <= now ? "ended" : "now", since, until: end }
  }
  if (progress === "upcoming") return { phase: "upcoming", since, until: undefined }
  if (Moment.isFuture(since, now)) return { phase: "stale", since, until: undefined }
  if (real.length === 0 || !real.every((place) => Progress.of(place.status) === "ended"))
    return { phase: "now", since, until: undefined }
  const ends = real.map((place) => Moment.parse(place.lastUpdateTime))
  return { phase: "ended", since, until: Math.max(...ends.map((at) => at ?? updated ?? -Infinity)) }
}

type Lists = Pick<
  Known,
  "current" | "history" | "now" | "ownEvents" | "resource" | "subscriptionEvents" | "tenantEvents"
>

/** The events of all lists. The records of one event may have different regions. Without metadata, an event of every service may concern the resource. */
const entriesOf = (readings: Lists, metadata?: Readings["metadata"]) => {
  const latest = Statuses.latest(readings)
  const { location, properties } = latest ?? {}
  const region = Places.region(metadata?.items ?? [], location)
  const serves: Serves =
    metadata === undefined ? () => "near" : Places.service(metadata.items, ResourceId.type(readings.resource))
  const { ownEvents, subscriptionEvents, tenantEvents } = readings
  const owned = new Set(ownEvents.items.map(HealthEvent.trackingKey))
  const named = properties?.healthEventId?.toLowerCase() || undefined
  const said = latest && Statuses.causeOf(latest)
  const make = (source: Source) => (event: Event) => {
    const key = HealthEvent.trackingKey(event)
    const owner = Listed.ownerOf(event, readings.resource)
    const isOwned = source === "events of the resource" || (key !== undefined && owned.has(key))
    const isInStatus = key !== undefined && key === named
    const isNamed = isInStatus || (isOwned && owner !== "other")
    // The status knows who began the event that it names.
    const cause = isInStatus && said !== undefined && said !== "customer" ? said : undefined
    const inRegion = placesOf(event, region, serves).filter(({ region }) => region !== "other")
    const near = inRegion.filter(({ service }) => service !== "other")
    const phase = phaseOf(event, near.length > 0 ? near : inRegion, readings.now)
    const isElsewhere = inRegion.length === 0
    return phase === undefined
      ? []
      : [{ event, key, source, owner: isNamed ? "resource" : owner, cause, near, isElsewhere, phase }]
  }
  return [
    ...ownEvents.items.flatMap(make("events of the resource")),
    ...subscriptionEvents.items.flatMap(make("events of the subscription")),
    ...(tenantEvents?.items ?? []).flatMap(make("events of the tenant")),
  ]
}

type Entry = ReturnType<typeof entriesOf>[number]

/** Whether it may explain a state: what ended may, for a while, and the list of maintenance to come may have other times for the resource. */
const mayExplain = ({ event, owner, phase: { phase, until } }: Entry, now: number): boolean => {
  if (owner === "other" || causeOf(event) === "notice") return false
  if (phase === "ended") return Age.isRecent(until, now)
  return phase !== "upcoming" || isMaintenance(event)
}

/** An event whose impacted resources are to be read. */
export interface ToCompare {
  readonly event: Event
  /** The lists that have it. */
  readonly sources: ReadonlyArray<Source>
  /** Whether it names the resource, so that only its progress is compared. */
  readonly isNamed: boolean
  /** Whether it may last. Only its list may say that maintenance of another time does. */
  readonly mayLast: boolean
}

/** Whether it may be under way. */
export const mayLast = ({ phase }: Pick<Evidence, "phase">): boolean => phase === "now" || phase === "stale"

/** Each event once. */
export const toCompare = (readings: Lists): ReadonlyArray<ToCompare> => {
  const entries = entriesOf(readings).filter((entry) => mayExplain(entry, readings.now))
  // Those of the region first, if there are too many.
  const nearFirst = entries.toSorted((one, other) => Number(one.isElsewhere) - Number(other.isElsewhere))
  const byKey = Map.groupBy(nearFirst, ({ event, key }) => key ?? event)
  return [...byKey.values()].flatMap((records) =>
    records.slice(0, 1).map(({ event }) => ({
      event,
      sources: records.map(({ source }) => source),
      isNamed: records.some(({ owner }) => owner === "resource"),
      mayLast: records.some(({ phase }) => mayLast(phase)),
    })),
  )
}

const subjectOf = (
  { event, near, owner, phase }: Entry,
  listed: Listed.Listed,
  isAvailable: boolean,
): Evidence["subject"] => {
  if (owner !== undefined) return owner
  if (listed.subject !== undefined) return listed.subject
  const listsOthers = listed.isComplete && (listed.count ?? 0) > 0
  const isSure = listed.isComplete && !isForeign(event) && !hasType(event, "EmergingIssues")
  // A shared service reaches what depends on the resources that it lists. One that is down may depend on any.
  const isShared = isAvailable && isSure && near.every(({ service }) => service === "shared")
  // Maintenance names all resources that it concerns, and so does what ended.
  const isForOthers = listsOthers && (phase.phase === "ended" || isMaintenance(event) || (isShared && listed.isApart()))
  if (near.length === 0 || isForOthers) return "other"
  if (!isSure || !near.some(({ region, service }) => service === "own" && region === "own")) return "region"
  return listsOthers ? "peers" : "service"
}

/**
 * When it concerns the resource. The list may say that it is over for the resource, or not yet, and the own times of a resource win over the window of
 * maintenance. `undefined`: it was cancelled for the resource.
 */
const phaseIn = ({ event, phase }: Entry, { progress, subject, window }: Listed.Listed): Phase | undefined => {
  if (subject === undefined) return phase
  if (progress === "cancelled") return undefined
  const isOver = Progress.of(event.properties?.status) === "ended"
  if (window !== undefined && isMaintenance(event) && !isOver) return { phase: progress, ...window }
  if (phase.phase !== "now" || progress === "now") return phase
  const updated = Moment.parse(event.properties?.lastUpdateTime)
  return { ...phase, phase: progress, until: progress === "ended" ? updated : undefined }
}

export const evidence = (readings: Readings): ReadonlyArray<Evidence> => {
  const latest = Statuses.latest(readings)
  const isAvailable = latest !== undefined && AvailabilityStatus.isAvailable(latest)
  return entriesOf(readings, readings.metadata).flatMap((entry) => {
    const { event, isElsewhere, key, source } = entry
    const listed = Listed.make(readings.impacted.get(key ?? ""), readings.resource, readings.now)
    const subject = subjectOf(entry, listed, isAvailable)
    const cause = entry.cause ?? causeOf(event)
    const isForeignIssue = isForeign(event) && cause === "platform" && entry.cause === undefined
    const phase = phaseIn(entry, listed)
    if (phase === undefined || (isElsewhere && subject === "other")) return []
    const found: Evidence = {
      ...phase,
      cause,
      subject: isForeignIssue && subject === "resource" ? "region" : subject,
      title: Labels.title(event),
      trackingId: event.name || undefined,
      sources: listed.subject === undefined ? [source] : [source, "impacted resources"],
      updated: Moment.parse(event.properties?.lastUpdateTime),
      services: Labels.services(event),
      regions: Labels.regions(event),
      impactedResources: listed.isComplete ? listed.count : undefined,
    }
    return [found]
  })
}

/** Whether evidence depends on which types of resources belong to a service. `counts`: of which events. */
export const needsServices = (readings: Lists, counts: (phase: Phase) => boolean = () => true): boolean =>
  entriesOf(readings).some(
    (entry) =>
      entry.owner === undefined && entry.near.length > 0 && counts(entry.phase) && mayExplain(entry, readings.now),
  )

/** The ID of an event that the latest status names and that no list has. */
export const unlisted = (readings: Lists): string | undefined => {
  const id = Statuses.latest(readings)?.properties?.healthEventId || undefined
  const isListed = [readings.ownEvents, readings.subscriptionEvents, readings.tenantEvents].some((list) =>
    list?.items.some((event) => HealthEvent.trackingKey(event) === id?.toLowerCase()),
  )
  return isListed ? undefined : id
}

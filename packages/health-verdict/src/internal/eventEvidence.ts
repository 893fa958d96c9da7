/** What events say about a resource: those that name it, and those of its service and region. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
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
  readonly service: Places.Relation
  readonly region: Places.Relation
}

/** How a name relates to that of the resource. */
type Relate = (name: string) => Places.Relation

const placesOf = ({ properties }: Event, region: Relate, serves: Relate): ReadonlyArray<Place> => {
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

/** Whether an investigation found that nothing happened. */
const isFalse = ({ properties }: Event): boolean =>
  properties?.eventTags?.some((tag) => /^false ?positive$/i.test(tag)) ?? false

/**
 * Maintenance has its window. An issue lasts until it is resolved, whatever its times say: services leave a mitigation time in active events. It may be
 * resolved in the region of the resource only. `undefined`: it was cancelled, or never happened.
 */
const phaseOf = (event: Event, places: ReadonlyArray<Place>, now: number): Phase | undefined => {
  const { impactMitigationTime, impactStartTime, lastUpdateTime, status } = event.properties ?? {}
  const [since, end, updated] = [impactStartTime, impactMitigationTime, lastUpdateTime].map(Moment.parse)
  const progress = Progress.of(status)
  if (progress === "cancelled" || isFalse(event)) return undefined
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
  if (places.length === 0 || !places.every((place) => Progress.of(place.status) === "ended"))
    return { phase: "now", since, until: undefined }
  const ends = places.map((place) => Moment.parse(place.lastUpdateTime))
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
  const serves: Relate =
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

/** Whether it may explain a state: what ended may, for a while. */
const mayExplain = ({ event, owner, phase }: Entry, now: number): boolean =>
  owner !== "other" &&
  causeOf(event) !== "notice" &&
  (phase.phase === "now" || phase.phase === "stale" || (phase.phase === "ended" && Age.isRecent(phase.until, now)))

/** An event whose impacted resources are to be read. */
export interface ToCompare {
  readonly event: Event
  /** The list that has it. */
  readonly source: Source
  /** Whether it names the resource, so that only its progress is compared. */
  readonly isNamed: boolean
}

/** Each event once. */
export const toCompare = (readings: Lists): ReadonlyArray<ToCompare> => {
  const entries = entriesOf(readings).filter((entry) => mayExplain(entry, readings.now))
  // Those of the region first, if there are too many.
  const nearFirst = entries.toSorted((one, other) => Number(one.isElsewhere) - Number(other.isElsewhere))
  const byKey = Map.groupBy(nearFirst, ({ event, key }) => key ?? event)
  return [...byKey.values()].flatMap((records) =>
    records.slice(0, 1).map(({ event, source }) => ({
      event,
      source,
      isNamed: records.some(({ owner }) => owner === "resource"),
    })),
  )
}

const subjectOf = ({ event, near, owner, phase }: Entry, listed: Listed.Listed): Evidence["subject"] => {
  if (owner !== undefined) return owner
  if (listed.subject !== undefined) return listed.subject
  const listsOthers = listed.isComplete && (listed.count ?? 0) > 0
  // Maintenance names all resources that it concerns, and so does what ended.
  const isForOthers = listsOthers && (phase.phase === "ended" || isMaintenance(event))
  if (near.length === 0 || isForOthers) return "other"
  const isSure = listed.isComplete && !isForeign(event) && !hasType(event, "EmergingIssues")
  if (!isSure || !near.some(({ region, service }) => service === "own" && region === "own")) return "region"
  return listsOthers ? "peers" : "service"
}

export const evidence = (readings: Readings): ReadonlyArray<Evidence> => {
  return entriesOf(readings, readings.metadata).flatMap((entry) => {
    const { event, isElsewhere, key, phase, source } = entry
    const listed = Listed.make(readings.impacted.get(key ?? ""), readings.resource)
    const subject = subjectOf(entry, listed)
    const cause = entry.cause ?? causeOf(event)
    const isForeignIssue = isForeign(event) && cause === "platform" && entry.cause === undefined
    const progress = listed.subject === undefined ? undefined : listed.progress
    if (progress === "cancelled" || (isElsewhere && subject === "other")) return []
    const updated = Moment.parse(event.properties?.lastUpdateTime)
    const found: Evidence = {
      ...phase,
      // The list may say that the event is over for this resource, or not yet.
      ...(phase.phase === "now" && progress !== undefined && progress !== "now"
        ? { phase: progress, until: progress === "ended" ? updated : undefined }
        : {}),
      cause,
      subject: isForeignIssue && subject === "resource" ? "region" : subject,
      title: Labels.title(event),
      trackingId: event.name || undefined,
      sources: listed.subject === undefined ? [source] : [source, "impacted resources"],
      updated,
      services: Labels.services(event),
      regions: Labels.regions(event),
      impactedResources: listed.isComplete ? listed.count : undefined,
    }
    return [found]
  })
}

/** Whether evidence depends on which types of resources belong to a service. */
export const needsServices = (readings: Lists): boolean =>
  entriesOf(readings).some(
    (entry) => entry.owner === undefined && entry.near.length > 0 && mayExplain(entry, readings.now),
  )

/** The ID of an event that the latest status names and that no list has. */
export const unlisted = (readings: Lists): string | undefined => {
  const id = Statuses.latest(readings)?.properties?.healthEventId || undefined
  const isListed = [readings.ownEvents, readings.subscriptionEvents, readings.tenantEvents].some((list) =>
    list?.items.some((event) => HealthEvent.trackingKey(event) === id?.toLowerCase()),
  )
  return isListed ? undefined : id
}

/** What events say about a resource: those that name it, and those of its service and region. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Impact from "@vigil/health-schema/Impact"
import type { Metadata } from "@vigil/health-schema/Metadata"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Region from "@vigil/health-schema/Region"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Labels from "@vigil/health-text/Labels"
import type { Evidence, Known, Readings } from "../Evidence.js"
import * as Moment from "./moment.js"
import * as Statuses from "./statusEvidence.js"

type Event = HealthEvent.AnyEvent

type Phase = Pick<Evidence, "phase" | "since" | "until">

type Place = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion> & {
  readonly service: string
  readonly isSure: boolean
}

const isGlobal = (region: string): boolean => Region.normalize(region) === "global"

/**
 * Returns the services and regions of an event that may concern a region, and whether that is sure: it is not if a region is missing. Empty if the event
 * only concerns other regions.
 */
const placesIn = ({ properties }: Event, region: string | undefined): ReadonlyArray<Place> => {
  const impacts: ReadonlyArray<Impact.Impact<ApiVersion.ApiVersion>> = properties?.impact?.length
    ? properties.impact
    : [{}]
  return impacts
    .flatMap(({ impactedRegions, impactedService }) =>
      (impactedRegions?.length ? impactedRegions : [{ impactedRegion: "" }]).map((one) => ({
        ...one,
        service: impactedService ?? "",
        isSure: isGlobal(one.impactedRegion ?? "") || Region.equals(one.impactedRegion, region),
      })),
    )
    .filter(({ impactedRegion, isSure }) => isSure || !impactedRegion || !region || isGlobal(region))
}

const isMaintenance = ({ properties }: Event): boolean => OpenEnum.equals(properties?.eventType, "PlannedMaintenance")

const causeOf = (event: Event): Evidence["cause"] => {
  if (isMaintenance(event)) return "maintenance"
  return HealthEvent.isNotice(event) ? "notice" : "platform"
}

/**
 * Maintenance has its window. An issue lasts until it is resolved, whatever its times say: services leave a mitigation time in active events.
 * An issue may be resolved in the region of the resource only.
 */
const phaseOf = (event: Event, places: ReadonlyArray<Place>, now: number): Phase => {
  const { impactMitigationTime, impactStartTime, lastUpdateTime } = event.properties ?? {}
  const since = Moment.parse(impactStartTime)
  const end = Moment.parse(impactMitigationTime)
  if (HealthEvent.isResolved(event)) return { phase: "ended", since, until: end ?? Moment.parse(lastUpdateTime) }
  if (isMaintenance(event)) {
    if (since !== undefined && since > now) return { phase: "upcoming", since, until: end }
    return { phase: end !== undefined && end <= now ? "ended" : "now", since, until: end }
  }
  const isResolvedHere = places.length > 0 && places.every(({ status }) => HealthEvent.isResolvedStatus(status))
  if (!isResolvedHere) return { phase: "now", since, until: undefined }
  const ends = places.map((place) => Moment.parse(place.lastUpdateTime) ?? now)
  return { phase: "ended", since, until: Math.max(...ends) }
}

/** Whether a service is that of the resource; `undefined` if it is not known. */
type Serves = (service: string) => boolean | undefined

/** The events that name the resource, or may concern its region. Records of one event may have different regions. */
const entriesOf = (readings: Known, serves: Serves = () => undefined) => {
  const { location, properties } = Statuses.latest(readings) ?? {}
  const own = readings.ownEvents.items
  const named = new Set([...own.map(HealthEvent.trackingKey), properties?.healthEventId?.toLowerCase()])
  const make = (source: "events of the resource" | "events of the subscription") => (event: Event) => {
    const key = HealthEvent.trackingKey(event)
    const isNamed = source === "events of the resource" || (key !== undefined && named.has(key))
    const near = placesIn(event, location || undefined)
    if (!isNamed && near.length === 0) return []
    const places = near.filter(({ service }) => isNamed || serves(service) !== false)
    const phase = phaseOf(event, places.length > 0 ? places : near, readings.now)
    const mayExplain = causeOf(event) !== "notice" && Statuses.isRecent(phase, readings.now)
    return [{ event, key, source, isNamed, places, phase, mayExplain }]
  }
  return [
    ...own.flatMap(make("events of the resource")),
    ...readings.subscriptionEvents.items.flatMap(make("events of the subscription")),
  ]
}

export const toCompare = (readings: Known): ReadonlyArray<Event> => {
  const entries = entriesOf(readings).filter(({ isNamed, mayExplain }) => mayExplain && !isNamed)
  return [...new Map(entries.map(({ event, key }) => [key ?? event, event])).values()]
}

/** Whether a path is the other one, contains it, or is in it, in any case: of IDs, or of types. */
const overlaps = (one: string, other: string): boolean => {
  const [a = "", b = ""] = [one, other].map((path) => `/${path.toLowerCase()}/`.replaceAll(/\/+/g, "/"))
  return a !== "/" && b !== "/" && (a.startsWith(b) || b.startsWith(a))
}

/** By the types of resources of each service. A service without types, such as a network, may concern every resource. */
const servesType = (metadata: ReadonlyArray<Metadata>, type = ""): Serves => {
  const services = metadata
    .flatMap(({ properties }) => properties?.supportedValues ?? [])
    .filter(({ resourceTypes }) => resourceTypes?.length)
    .map(({ displayName, resourceTypes }) => ({
      name: displayName?.toLowerCase(),
      isOfType: resourceTypes?.some((one) => overlaps(one, type)),
    }))
  const isKnown = services.some(({ isOfType }) => isOfType)
  return (service) => {
    const own = services.filter(({ name }) => name === service.toLowerCase())
    return own.length > 0 && isKnown ? own.some(({ isOfType }) => isOfType) : undefined
  }
}

export const evidence = (readings: Readings): ReadonlyArray<Evidence> => {
  const serves = servesType(readings.metadata.items, ResourceId.type(readings.resource))
  return entriesOf(readings, serves).flatMap(({ event, isNamed, key, mayExplain, phase, places, source }) => {
    const impacted = readings.impacted.get(key ?? "")
    const targets = (impacted?.items ?? []).map(({ properties }) => properties?.targetResourceId ?? "")
    const isListed = targets.some((id) => overlaps(readings.resource, id))
    // One without an ID may be the resource.
    const isComplete = impacted?.problem === undefined && impacted?.invalid === 0 && !targets.includes("")
    const isOfOthers = places.length === 0 || (isComplete && targets.length > 0)
    const isOfService = isComplete && places.some(({ isSure, service }) => isSure && serves(service) === true)
    const about = isNamed || isListed ? "resource" : isOfOthers ? "other" : isOfService ? "service" : "uncertain"
    const isNow = phase.phase === "now"
    const isShown =
      about === "resource" ? mayExplain || phase.phase !== "ended" : mayExplain && (isNow || about === "service")
    const found: Evidence = {
      ...phase,
      cause: causeOf(event),
      about,
      title: Labels.title(event),
      trackingId: event.name || undefined,
      sources: isListed ? [source, "impacted resources"] : [source],
      updated: Moment.parse(event.properties?.lastUpdateTime),
    }
    return isShown ? [found] : []
  })
}

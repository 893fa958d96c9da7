/** Events as a resource meets them: whether its region and service are impacted, and whether that is now, over, or still to come. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Impact from "@vigil/health-schema/Impact"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Region from "@vigil/health-schema/Region"
import * as Moment from "./moment.js"

type Place = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion> & { readonly service: string }

/** When something impacts a resource, in milliseconds since 1970. */
export interface Phase {
  readonly phase: "now" | "ended" | "upcoming"
  readonly since: number | undefined
  readonly until: number | undefined
}

const isAnywhere = (region: string | null | undefined): boolean => !region || Region.normalize(region) === "global"

/**
 * Returns the impacts that may concern a region: those in it, and those that name no region or all. `undefined` if the event only concerns other
 * regions. Without a region, all impacts may concern it.
 */
export const placesIn = (
  { properties }: HealthEvent.AnyEvent,
  region: string | undefined,
): ReadonlyArray<Place> | undefined => {
  const all = (properties?.impact ?? []).flatMap(({ impactedRegions, impactedService }): ReadonlyArray<Place> => {
    const service = impactedService ?? ""
    return impactedRegions?.length ? impactedRegions.map((one) => ({ ...one, service })) : [{ service }]
  })
  const here = all.filter(
    ({ impactedRegion }) => isAnywhere(region) || isAnywhere(impactedRegion) || Region.equals(impactedRegion, region),
  )
  return here.length > 0 || all.length === 0 ? here : undefined
}

export const isMaintenance = ({ properties }: HealthEvent.AnyEvent): boolean =>
  OpenEnum.equals(properties?.eventType, "PlannedMaintenance")

/**
 * Maintenance has its window. An issue lasts until it is resolved, whatever its times say: services leave a mitigation time in active events.
 * An issue may be resolved in the region of the resource only.
 */
export const phaseOf = (event: HealthEvent.AnyEvent, places: ReadonlyArray<Place>, now: number): Phase => {
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

/** The names of the services of a type of resources, lower case. Types have no vendor. */
const services: ReadonlyArray<readonly [type: RegExp, service: RegExp]> = [
  [/^Compute\/(?:virtualMachine|disks|availabilitySets)/i, /virtual machine|scale set|managed disk/],
  [/^Sql\//i, /\bsql\b/],
  [/^Storage\//i, /storage|blob/],
  [/^ContainerService\//i, /kubernetes/],
  [/^ContainerRegistry\//i, /container registry/],
  [/^KeyVault\//i, /key vault/],
  [/^Network\/loadBalancers/i, /load balancer/],
  [/^Network\/applicationGateways/i, /application gateway/],
  [/^Network\/dnsZones/i, /\bdns\b/],
  [/^Messaging\//i, /message/],
  [/^ServiceBus\//i, /service bus/],
  [/^EventHub\//i, /event hub/],
  [/^Web\//i, /app service|functions|web app/],
  [/^DocumentDB\//i, /cosmos/],
  [/^DBforPostgreSQL\//i, /postgres/],
  [/^DBforMySQL\//i, /mysql/],
  [/^Cache\//i, /redis|cache/],
]

/** Any resource may need these. */
const basic = /network infrastructure|multiple services/

/**
 * Returns whether a service is one of a resource: of its type, or one that earlier events of the resource named. `undefined` if that is not known,
 * because the type is not in the table, and no event named the resource.
 */
export const servesType = (
  type: string | undefined,
  named: ReadonlySet<string>,
): ((service: string) => boolean | undefined) => {
  const own = type?.replace(/^[^.]*\./, "") ?? ""
  const pattern = services.find(([types]) => types.test(own))?.[1]
  return (service) => {
    const name = service.toLowerCase()
    if (named.has(name) || basic.test(name) || pattern?.test(name) === true) return true
    return (pattern === undefined && named.size === 0) || name === "" ? undefined : false
  }
}

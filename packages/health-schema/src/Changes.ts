/** What is new in a later version of an event: its fields, its services and regions, and the updates of their timelines. */
import type * as ApiVersion from "./ApiVersion.js"
import type * as HealthEvent from "./HealthEvent.js"
import type * as Impact from "./Impact.js"
import { equal } from "./internal/equal.js"
import { pair, sameRegion, sameService } from "./internal/pairing.js"
import type * as Update from "./Update.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>
type AnyImpact = Impact.Impact<ApiVersion.ApiVersion>
type AnyRegion = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion>
type AnyUpdate = Update.Update<ApiVersion.ApiVersion>

/**
 * A field that differs, named by its path in the document, and its values; `undefined` where it is absent.
 *
 * @category models
 * @since 0.1.0
 */
export interface FieldChange {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/**
 * A service that is new, gone, or different in the named fields, its regions apart.
 *
 * @category models
 * @since 0.1.0
 */
export interface ServiceChange {
  readonly service: string
  readonly kind: "Added" | "Removed" | "Changed"
  readonly fields: ReadonlyArray<string>
}

/**
 * A region of a service that is new, gone, or different in the named fields, its updates apart.
 *
 * @category models
 * @since 0.1.0
 */
export interface RegionChange extends ServiceChange {
  readonly region: string
}

/**
 * An entry of a region's timeline that is new or gone. One that was reworded is both.
 *
 * @category models
 * @since 0.1.0
 */
export interface UpdateChange {
  readonly service: string
  readonly region: string
  readonly kind: "Added" | "Removed"
  readonly update: AnyUpdate
}

/**
 * Everything that differs. `null` and absent are the same, and so are services, regions and updates in another order.
 *
 * @category models
 * @since 0.1.0
 */
export interface Changes {
  readonly fields: ReadonlyArray<FieldChange>
  readonly services: ReadonlyArray<ServiceChange>
  readonly regions: ReadonlyArray<RegionChange>
  readonly updates: ReadonlyArray<UpdateChange>
}

/** The fields that differ between two records, but for the one that is told elsewhere. */
const differing = (before: object, after: object, elsewhere: string): ReadonlyArray<FieldChange> => {
  const [from, to] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((name) => name !== elsewhere && !equal(from.get(name), to.get(name)))
    .map((name) => ({ path: name, before: from.get(name), after: to.get(name) }))
}

const named = (changes: ReadonlyArray<FieldChange>) => changes.map(({ path }) => path)

const nothing = {}

/** Collects what differs in the impact of an event, from the services down to the updates. */
const impactChanges = (before: ReadonlyArray<AnyImpact>, after: ReadonlyArray<AnyImpact>): Omit<Changes, "fields"> => {
  const services: Array<ServiceChange> = []
  const regions: Array<RegionChange> = []
  const updates: Array<UpdateChange> = []

  const note = <Change extends ServiceChange>(list: Array<Change>, change: Change) => {
    if (change.kind !== "Changed" || change.fields.length > 0) list.push(change)
  }

  const ofRegion = (service: string, from: AnyRegion, to: AnyRegion, kind: ServiceChange["kind"]) => {
    const region = (kind === "Removed" ? from : to).impactedRegion ?? ""
    note(regions, { service, region, kind, fields: named(differing(from, to, "updates")) })
    const { added, removed } = pair<AnyUpdate>(from.updates ?? [], to.updates ?? [], equal)
    for (const update of added) updates.push({ service, region, kind: "Added", update })
    for (const update of removed) updates.push({ service, region, kind: "Removed", update })
  }

  const ofService = (from: AnyImpact, to: AnyImpact, kind: ServiceChange["kind"]) => {
    const service = (kind === "Removed" ? from : to).impactedService ?? ""
    note(services, { service, kind, fields: named(differing(from, to, "impactedRegions")) })
    const found = pair(from.impactedRegions ?? [], to.impactedRegions ?? [], equal, sameRegion)
    for (const [earlier, later] of found.pairs) ofRegion(service, earlier, later, "Changed")
    for (const later of found.added) ofRegion(service, nothing, later, "Added")
    for (const earlier of found.removed) ofRegion(service, earlier, nothing, "Removed")
  }

  const found = pair(before, after, equal, sameService)
  for (const [earlier, later] of found.pairs) ofService(earlier, later, "Changed")
  for (const later of found.added) ofService(nothing, later, "Added")
  for (const earlier of found.removed) ofService(earlier, nothing, "Removed")
  return { services, regions, updates }
}

/**
 * What differs between two versions of one event, the earlier one first.
 *
 * @category getters
 * @since 0.1.0
 */
export const between = (before: AnyEvent, after: AnyEvent): Changes => {
  const [from, to] = [before.properties ?? nothing, after.properties ?? nothing]
  const inside = differing(from, to, "impact").map((change) => ({ ...change, path: `properties.${change.path}` }))
  return {
    fields: [...differing(before, after, "properties"), ...inside],
    ...impactChanges(before.properties?.impact ?? [], after.properties?.impact ?? []),
  }
}

/**
 * Whether nothing differs.
 *
 * @category guards
 * @since 0.1.0
 */
export const isEmpty = ({ fields, regions, services, updates }: Changes): boolean =>
  fields.length + services.length + regions.length + updates.length === 0

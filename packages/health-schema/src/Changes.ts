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
  /** Such as `properties.level`. */
  readonly path: string
  /** What was sent before. */
  readonly before: unknown
  /** What is sent now. */
  readonly after: unknown
}

/**
 * A service that is new, gone, or different in the named fields, its regions apart.
 *
 * @category models
 * @since 0.1.0
 */
export interface ServiceChange {
  /** The name of the service; empty where the event does not name it. */
  readonly service: string
  /** Whether it is new, gone, or different. */
  readonly kind: "Added" | "Removed" | "Changed"
  /** What differs, by name: of one that is new or gone, all that it has. */
  readonly fields: ReadonlyArray<string>
}

/**
 * A region of a service that is new, gone, or different in the named fields, its updates apart.
 *
 * @category models
 * @since 0.1.0
 */
export interface RegionChange extends ServiceChange {
  /** The name of the region; empty where the event does not name it. */
  readonly region: string
}

/**
 * An entry of a region's timeline that is new or gone. One that was reworded is both.
 *
 * @category models
 * @since 0.1.0
 */
export interface UpdateChange {
  /** The name of the service; empty where the event does not name it. */
  readonly service: string
  /** The name of its region; empty where the event does not name it. */
  readonly region: string
  /** Whether it is new or gone. */
  readonly kind: "Added" | "Removed"
  /** The entry, as it was sent. */
  readonly update: AnyUpdate
}

/**
 * Everything that differs. `null` and absent are the same, and so are services, regions and updates in another order.
 *
 * @category models
 * @since 0.1.0
 */
export interface Changes {
  /** Of the event itself, its impact apart. */
  readonly fields: ReadonlyArray<FieldChange>
  /** The services of its impact. */
  readonly services: ReadonlyArray<ServiceChange>
  /** The regions of these services, also of one that is itself new or gone. */
  readonly regions: ReadonlyArray<RegionChange>
  /** The timelines of these regions, also of one that is itself new or gone. */
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

/** The differences between two versions of an event. */
import type * as ApiVersion from "./ApiVersion.js"
import type * as HealthEvent from "./HealthEvent.js"
import type * as Impact from "./Impact.js"
import { canonical, groupBy } from "./internal/canonical.js"
import { regionKey, serviceKeys } from "./internal/mergeImpact.js"

type AnyImpact = Impact.Impact<ApiVersion.ApiVersion>
type AnyRegion = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion>
type AnyUpdate = Impact.Update<ApiVersion.ApiVersion>

/** A field that differs. @category models @since 0.1.0 */
export interface FieldChange {
  /** The path in the names of the JSON, such as `properties.level`. */
  readonly path: string
  /** The earlier value; `undefined` if absent. */
  readonly before: unknown
  /** The later value; `undefined` if absent. */
  readonly after: unknown
}

/** A service that was added, removed or changed, apart from its regions. @category models @since 0.1.0 */
export interface ServiceChange {
  /** The name of the service; empty if absent. */
  readonly service: string
  readonly kind: "Added" | "Removed" | "Changed"
  /** The fields that differ; all fields of an added or removed service. */
  readonly fields: ReadonlyArray<string>
}

/** A region that was added, removed or changed, apart from its updates. @category models @since 0.1.0 */
export interface RegionChange extends ServiceChange {
  /** The name of the region; empty if absent. */
  readonly region: string
}

/** An update of a region that was added or removed. A changed update is both. @category models @since 0.1.0 */
export interface UpdateChange {
  /** The name of the service; empty if absent. */
  readonly service: string
  /** The name of the region; empty if absent. */
  readonly region: string
  readonly kind: "Added" | "Removed"
  readonly update: AnyUpdate
}

/** All differences. `null` equals absent; the order of services, regions and updates does not matter. @category models @since 0.1.0 */
export interface Changes {
  /** The fields of the event, except its impact. */
  readonly fields: ReadonlyArray<FieldChange>
  readonly services: ReadonlyArray<ServiceChange>
  /** Regions, including those of added and removed services. */
  readonly regions: ReadonlyArray<RegionChange>
  /** Updates, including those of added and removed regions. */
  readonly updates: ReadonlyArray<UpdateChange>
}

const compareFields = (before: object, after: object, except: string): ReadonlyArray<FieldChange> => {
  const [from, to] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((name) => name !== except && canonical(from.get(name)) !== canonical(to.get(name)))
    .map((name) => ({ path: name, before: from.get(name), after: to.get(name) }))
}

type Pair<A> = readonly [kind: ServiceChange["kind"], before: A | undefined, after: A | undefined]

/** Pairs the elements of two lists by the first key that matches. The others are added or removed. */
const pairs = <A>(
  before: ReadonlyArray<A> | null | undefined,
  after: ReadonlyArray<A> | null | undefined,
  ...keys: ReadonlyArray<(element: A) => string>
): ReadonlyArray<Pair<A>> => {
  const matches = new Map<number, A>()
  let unpaired: ReadonlyArray<A> = before ?? []
  const later = after ?? []
  for (const keyOf of keys) {
    const groups: ReadonlyMap<string, Array<A>> = groupBy(unpaired, keyOf)
    for (const [index, element] of later.entries()) {
      const match = matches.has(index) ? undefined : groups.get(keyOf(element))?.shift()
      if (match !== undefined) matches.set(index, match)
    }
    unpaired = [...groups.values()].flat()
  }
  const paired = later.map((element, index): Pair<A> => {
    const match = matches.get(index)
    return [match === undefined ? "Added" : "Changed", match, element]
  })
  return [
    ...paired.filter(([kind]) => kind === "Changed"),
    ...paired.filter(([kind]) => kind === "Added"),
    ...unpaired.map((element): Pair<A> => ["Removed", element, undefined]),
  ]
}

const compareImpact = (before: ReadonlyArray<AnyImpact>, after: ReadonlyArray<AnyImpact>): Omit<Changes, "fields"> => {
  const services: Array<ServiceChange> = []
  const regions: Array<RegionChange> = []
  const updates: Array<UpdateChange> = []
  for (const [kind, from, to] of pairs(before, after, canonical, serviceKeys([...before, ...after]))) {
    const service = (to ?? from)?.impactedService ?? ""
    const fields = compareFields(from ?? {}, to ?? {}, "impactedRegions").map(({ path }) => path)
    if (kind !== "Changed" || fields.length > 0) services.push({ service, kind, fields })
    for (const [kind, before, after] of pairs<AnyRegion>(
      from?.impactedRegions,
      to?.impactedRegions,
      canonical,
      regionKey,
    )) {
      const region = (after ?? before)?.impactedRegion ?? ""
      const fields = compareFields(before ?? {}, after ?? {}, "updates").map(({ path }) => path)
      if (kind !== "Changed" || fields.length > 0) regions.push({ service, region, kind, fields })
      for (const [kind, removed, added] of pairs<AnyUpdate>(before?.updates, after?.updates, canonical)) {
        const update = added ?? removed
        if (kind !== "Changed" && update !== undefined) updates.push({ service, region, kind, update })
      }
    }
  }
  return { services, regions, updates }
}

/** Returns the differences between an earlier and a later version of one event. @category comparing @since 0.1.0 */
export const compare = (before: HealthEvent.AnyEvent, after: HealthEvent.AnyEvent): Changes => {
  const [from, to] = [before.properties ?? {}, after.properties ?? {}]
  const propertyChanges = compareFields(from, to, "impact").map((change) => ({
    ...change,
    path: `properties.${change.path}`,
  }))
  return {
    fields: [...compareFields(before, after, "properties"), ...propertyChanges],
    ...compareImpact(before.properties?.impact ?? [], after.properties?.impact ?? []),
  }
}

/** Returns whether there are no differences. @category guards @since 0.1.0 */
export const isEmpty = ({ fields, regions, services, updates }: Changes): boolean =>
  fields.length + services.length + regions.length + updates.length === 0

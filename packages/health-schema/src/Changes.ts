/** The differences between two versions of an event. */
import type * as ApiVersion from "./ApiVersion.js"
import type * as HealthEvent from "./HealthEvent.js"
import type * as Impact from "./Impact.js"
import { canonical, groupBy, type Rules, ruleOf } from "./internal/canonical.js"
import * as comparison from "./internal/comparison.js"
import { regionKey, serviceKeys } from "./internal/mergeImpact.js"
import { shared } from "./internal/shared.js"

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

/**
 * All differences. These are none: the case of enumerations and IDs; digits and zone of the same instant; the order of services, regions and
 * updates; and `null`, an empty text, an empty list, a record of only these, or a time without an instant, instead of an absent field.
 * @category models @since 0.1.0
 */
export interface Changes {
  /** The fields of the event, except its impact. */
  readonly fields: ReadonlyArray<FieldChange>
  readonly services: ReadonlyArray<ServiceChange>
  /** Regions, including those of added and removed services. */
  readonly regions: ReadonlyArray<RegionChange>
  /** Updates, including those of added and removed regions. */
  readonly updates: ReadonlyArray<UpdateChange>
}

const compareFields = (before: object, after: object, rules: Rules, except: string): ReadonlyArray<FieldChange> => {
  const [from, to] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const isEqual = (name: string) =>
    from.get(name) === to.get(name) ||
    canonical(from.get(name), ruleOf(rules, name)) === canonical(to.get(name), ruleOf(rules, name))
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((name) => name !== except && !isEqual(name))
    .map((name) => ({ path: name, before: from.get(name), after: to.get(name) }))
}

/** Matches the elements of two lists by key, in order. */
const match = <A>(before: ReadonlyArray<A>, after: ReadonlyArray<A>, keyOf: (element: A) => string) => {
  const waiting: ReadonlyMap<string, Array<A>> = groupBy(before.toReversed(), keyOf)
  const matches = new Map<A, A>()
  const added = after.filter((element) => {
    const earlier = waiting.get(keyOf(element))?.pop()
    if (earlier !== undefined) matches.set(earlier, element)
    return earlier === undefined
  })
  return { matches, removed: before.filter((element) => !matches.has(element)), added }
}

type Pair<A> = readonly [kind: ServiceChange["kind"], before: A | undefined, after: A | undefined]

/** Pairs the elements of two lists that are not equal, by key. The others are added or removed. */
const pairs = <A>(
  before: ReadonlyArray<A> | null | undefined,
  after: ReadonlyArray<A> | null | undefined,
  rules: Rules,
  keyOf: (element: A) => string,
): ReadonlyArray<Pair<A>> => {
  const unequal = match(before ?? [], after ?? [], (element) => canonical(element, rules))
  const { added, matches, removed } = match(unequal.removed, unequal.added, keyOf)
  return [
    ...Array.from(matches, ([one, other]): Pair<A> => ["Changed", one, other]),
    ...added.map((element): Pair<A> => ["Added", undefined, element]),
    ...removed.map((element): Pair<A> => ["Removed", element, undefined]),
  ]
}

const compareImpact = (before: ReadonlyArray<AnyImpact>, after: ReadonlyArray<AnyImpact>): Omit<Changes, "fields"> => {
  const services: Array<ServiceChange> = []
  const regions: Array<RegionChange> = []
  const updates: Array<UpdateChange> = []
  for (const [kind, from, to] of pairs(before, after, comparison.service, serviceKeys([...before, ...after]))) {
    const service = (to ?? from)?.impactedService ?? ""
    const fields = compareFields(from ?? {}, to ?? {}, comparison.service, "impactedRegions").map(({ path }) => path)
    if (kind !== "Changed" || fields.length > 0) services.push({ service, kind, fields })
    for (const [kind, before, after] of pairs<AnyRegion>(
      from?.impactedRegions,
      to?.impactedRegions,
      comparison.region,
      regionKey,
    )) {
      const region = (after ?? before)?.impactedRegion ?? ""
      const fields = compareFields(before ?? {}, after ?? {}, comparison.region, "updates").map(({ path }) => path)
      if (kind !== "Changed" || fields.length > 0) regions.push({ service, region, kind, fields })
      for (const [kind, removed, added] of pairs<AnyUpdate>(
        before?.updates,
        after?.updates,
        comparison.update,
        comparison.updateKey,
      )) {
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
  const propertyChanges = compareFields(from, to, comparison.properties, "impact").map((change) => ({
    ...change,
    path: `properties.${change.path}`,
  }))
  return {
    fields: [...compareFields(before, after, comparison.event, "properties"), ...propertyChanges],
    ...compareImpact(before.properties?.impact ?? [], after.properties?.impact ?? []),
  }
}

/**
 * Returns the differences between versions of one event that were sent by different versions of the API, in what both have: a field that only one
 * of them has is no difference, except the status. In lists such as updates, a field counts if elements of both lists have it.
 * @category comparing @since 0.3.0
 */
export const compareShared = (before: HealthEvent.AnyEvent, after: HealthEvent.AnyEvent): Changes =>
  compare(...shared(before, after))

/** Returns whether there are no differences. @category guards @since 0.1.0 */
export const isEmpty = ({ fields, regions, services, updates }: Changes): boolean =>
  fields.length + services.length + regions.length + updates.length === 0

/** Merges the impact of one event from several lists. */
import type * as ApiVersion from "../ApiVersion.js"
import type * as Impact from "../Impact.js"
import { groupBy } from "./canonical.js"
import { updateKey } from "./comparison.js"
import { fillEmpty } from "./fillEmpty.js"

type AnyImpact = Impact.Impact<ApiVersion.ApiVersion>
type AnyRegion = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion>
type AnyUpdate = Impact.Update<ApiVersion.ApiVersion>

/** Orders the copies of a region: the first non-empty value of a field counts. */
type Sort = (copies: ReadonlyArray<AnyRegion>) => ReadonlyArray<AnyRegion>

const foldCase = (text: string | null | undefined): string => (text ?? "").toLowerCase()

/** Combines the elements of a field; no field if no copy has it. */
const mergeField = <K extends string, A>(
  name: K,
  copies: ReadonlyArray<{ readonly [P in K]?: ReadonlyArray<A> | null }>,
  combine: (elements: ReadonlyArray<A>) => ReadonlyArray<A>,
) => (copies.some((copy) => copy[name]) ? { [name]: combine(copies.flatMap((copy) => copy[name] ?? [])) } : {})

const uniqueBy =
  <A>(keyOf: (element: A) => string) =>
  (elements: ReadonlyArray<A>): ReadonlyArray<A> =>
    Array.from(groupBy(elements, keyOf).values(), ([first]) => first)

const mergeRegions = (copies: ReadonlyArray<AnyRegion>): AnyRegion => ({
  ...copies.reduce(fillEmpty, {}),
  ...mergeField("impactedSubscriptions", copies, uniqueBy(foldCase)),
  ...mergeField("impactedTenants", copies, uniqueBy(foldCase)),
  ...mergeField("updates", copies, uniqueBy<AnyUpdate>(updateKey)),
})

const mergeServices = (copies: ReadonlyArray<AnyImpact>, sort: Sort): AnyImpact => ({
  ...copies.reduce(fillEmpty, {}),
  ...mergeField<"impactedRegions", AnyRegion>("impactedRegions", copies, (regions) =>
    Array.from(groupBy(regions, regionKey).values(), (group) => mergeRegions(sort(group))),
  ),
})

export const regionKey = ({ impactedRegion }: AnyRegion): string => foldCase(impactedRegion)

/**
 * Returns the key of each service: its GUID, else the GUID of the first service with its name, else its name. Only the first name of a GUID
 * counts, so that merging is idempotent.
 */
export const serviceKeys = (services: ReadonlyArray<AnyImpact>): ((service: AnyImpact) => string) => {
  const names = new Map<string, string>()
  for (const { impactedService, impactedServiceGuid } of services) {
    const guid = foldCase(impactedServiceGuid)
    if (guid !== "" && !names.get(guid)) names.set(guid, foldCase(impactedService))
  }
  const guids = new Map<string, string>()
  for (const [guid, name] of names) if (name !== "" && !guids.has(name)) guids.set(name, guid)
  return ({ impactedService, impactedServiceGuid }) => {
    const name = foldCase(impactedService)
    const guid = foldCase(impactedServiceGuid) || guids.get(name)
    return guid === undefined ? `name ${name}` : `guid ${guid}`
  }
}

/** Merges services in the order of first appearance. */
export const mergeImpact = (lists: ReadonlyArray<ReadonlyArray<AnyImpact>>, sort: Sort): ReadonlyArray<AnyImpact> => {
  const services = lists.flat()
  return Array.from(groupBy(services, serviceKeys(services)).values(), (copies) => mergeServices(copies, sort))
}

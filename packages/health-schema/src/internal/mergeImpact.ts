/** Merges the impact of one event from several lists: every service and region once, with the data of all lists. */
import type * as ApiVersion from "../ApiVersion.js"
import type * as Impact from "../Impact.js"
import { canonical, groupBy } from "./canonical.js"
import { fillEmpty } from "./fillEmpty.js"

type AnyImpact = Impact.Impact<ApiVersion.ApiVersion>
type AnyRegion = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion>
type AnyUpdate = Impact.Update<ApiVersion.ApiVersion>

/** Orders the copies of one region: the first non-empty value of a field wins. */
type Arrange = (copies: ReadonlyArray<AnyRegion>) => ReadonlyArray<AnyRegion>

/** Names and identifiers are compared without regard to case. */
const foldCase = (text: string | null | undefined): string => (text ?? "").toLowerCase()

/** Returns the field with the combined elements of all lists; no field if there is no list. */
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
  ...mergeField("updates", copies, uniqueBy<AnyUpdate>(canonical)),
})

const mergeServices = (copies: ReadonlyArray<AnyImpact>, arrange: Arrange): AnyImpact => ({
  ...copies.reduce(fillEmpty, {}),
  ...mergeField<"impactedRegions", AnyRegion>("impactedRegions", copies, (regions) =>
    Array.from(groupBy(regions, regionKey).values(), (group) => mergeRegions(arrange(group))),
  ),
})

/** Returns the key of a region within its service. */
export const regionKey = ({ impactedRegion }: AnyRegion): string => foldCase(impactedRegion)

/**
 * Returns the key of each service: its identifier; without one, the identifier of the first service with the same name; else its
 * name. Only the first name of an identifier counts, so that merging a merged impact again changes nothing.
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

/** Merges the services of all lists, in the order in which they first appear. */
export const mergeImpact = (
  lists: ReadonlyArray<ReadonlyArray<AnyImpact>>,
  arrange: Arrange,
): ReadonlyArray<AnyImpact> => {
  const services = lists.flat()
  return Array.from(groupBy(services, serviceKeys(services)).values(), (copies) => mergeServices(copies, arrange))
}

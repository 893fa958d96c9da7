/** The impact of one event from several lists of it: every service and region once, with what all of the lists tell. */
import type * as ApiVersion from "../ApiVersion.js"
import type * as Impact from "../Impact.js"
import type * as Update from "../Update.js"
import { equal } from "./equal.js"
import { firstTold } from "./told.js"

type AnyImpact = Impact.Impact<ApiVersion.ApiVersion>
type AnyRegion = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion>
type AnyUpdate = Update.Update<ApiVersion.ApiVersion>

type List<A> = ReadonlyArray<A> | null | undefined

/** In which order the sightings of one region are heard: the first that tells a field is believed. */
type Arrange = (sightings: ReadonlyArray<AnyRegion>) => ReadonlyArray<AnyRegion>

/** Names and identifiers are compared without regard to case; an empty one is none. */
const folded = (text: string | null | undefined): string => (text ?? "").toLowerCase()

/** What has the same key together, in the order in which the keys were first seen. */
const grouped = <A>(all: ReadonlyArray<A>, keyOf: (one: A) => string): ReadonlyArray<ReadonlyArray<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const one of all) {
    const key = keyOf(one)
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [one])
    else known.push(one)
  }
  return [...groups.values()]
}

const textsOnce = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = new Map<string, string>()
  for (const text of texts) if (!known.has(folded(text))) known.set(folded(text), text)
  return [...known.values()]
}

/** What an update says beside its text, in plain values. Equal updates have the same marks, as `null` is like absent. */
const marks = (update: AnyUpdate): string =>
  Object.entries(update)
    .filter(([name, value]) => name !== "summary" && value !== undefined && typeof value !== "object")
    .map(([name, value]) => `${name} ${String(value)}`)
    .toSorted()
    .join()

/** By text and marks, which few have in common that are not equal, so that few have to be compared. */
const updatesOnce = (updates: ReadonlyArray<AnyUpdate>): ReadonlyArray<AnyUpdate> => {
  const known = new Map<string, Map<string, Array<AnyUpdate>>>()
  return updates.filter((update) => {
    const text = update.summary ?? ""
    const sameText = known.get(text) ?? new Map<string, Array<AnyUpdate>>()
    known.set(text, sameText)
    const key = marks(update)
    const alike = sameText.get(key) ?? []
    sameText.set(key, alike)
    if (alike.some((one) => equal(one, update))) return false
    alike.push(update)
    return true
  })
}

/** The field with the elements of all the lists; none where there is no list, and what was said instead stays. */
const joined = <K extends string, A>(
  name: K,
  lists: ReadonlyArray<List<A>>,
  once: (all: ReadonlyArray<A>) => ReadonlyArray<A>,
): { readonly [P in K]?: ReadonlyArray<A> } => {
  const given = lists.filter((list) => list !== null && list !== undefined)
  // A computed name is widened to any text: it is this one.
  return given.length === 0 ? {} : ({ [name]: once(given.flat()) } as { readonly [P in K]: ReadonlyArray<A> })
}

const unionRegion = (sightings: ReadonlyArray<AnyRegion>): AnyRegion => ({
  ...firstTold(sightings),
  ...joined(
    "impactedSubscriptions",
    sightings.map(({ impactedSubscriptions }) => impactedSubscriptions),
    textsOnce,
  ),
  ...joined(
    "impactedTenants",
    sightings.map(({ impactedTenants }) => impactedTenants),
    textsOnce,
  ),
  ...joined(
    "updates",
    sightings.map(({ updates }) => updates),
    updatesOnce,
  ),
})

const unionService = (sightings: ReadonlyArray<AnyImpact>, arrange: Arrange): AnyImpact => ({
  ...firstTold(sightings),
  ...joined(
    "impactedRegions",
    sightings.map(({ impactedRegions }) => impactedRegions),
    (regions) =>
      grouped(regions, ({ impactedRegion }) => folded(impactedRegion)).map((region) => unionRegion(arrange(region))),
  ),
})

/**
 * The key of a service: its identifier; without one, the identifier that the union calls by the same name (the first of
 * several); else its name. The union calls an identifier by the first name that is told with it. Its other names join nothing:
 * so no name without an identifier gets lost, and the union of a union is the same again.
 */
const serviceKey = (services: ReadonlyArray<AnyImpact>): ((service: AnyImpact) => string) => {
  const names = new Map<string, string>()
  for (const { impactedService, impactedServiceGuid } of services) {
    const guid = folded(impactedServiceGuid)
    if (guid !== "" && (names.get(guid) ?? "") === "") names.set(guid, folded(impactedService))
  }
  const identifiers = new Map<string, string>()
  for (const [guid, name] of names) if (name !== "" && !identifiers.has(name)) identifiers.set(name, guid)
  return ({ impactedService, impactedServiceGuid }) => {
    const name = folded(impactedService)
    const guid = folded(impactedServiceGuid) || identifiers.get(name)
    return guid === undefined ? `name ${name}` : `guid ${guid}`
  }
}

/**
 * The union of lists. A field is as the first list tells it that says something of it; a field of a region as the first of its
 * sightings does, once arranged. Regions without a name are one region of their service, and so are services with neither
 * name nor identifier one service. In the order in which they were first seen.
 */
export const joinImpact = (
  lists: ReadonlyArray<ReadonlyArray<AnyImpact>>,
  arrange: Arrange,
): ReadonlyArray<AnyImpact> => {
  const services = lists.flat()
  return grouped(services, serviceKey(services)).map((service) => unionService(service, arrange))
}

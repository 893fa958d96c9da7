/** Whether a service and region of an event are those of a resource. */
import type { Metadata } from "@vigil/health-schema/Metadata"
import * as Region from "@vigil/health-schema/Region"
import { memoize } from "effect/Function"
import * as PublicRegions from "./publicRegions.js"

/** `near`: it may be that of the resource, or concern it. */
export type Relation = "own" | "near" | "other"

/** Without what stands in brackets, and without a stage or zone at its end: `East US (Stage)` is `East US`. */
const base = (region: string): string =>
  Region.normalize(region.replaceAll(/\([^)]*\)?/g, "")).replace(/(stage|stg|,?(availability)?(zones?|az)\d*)$/, "")

/** Names of several regions that have a direction in them, such as `Middle East` and `South America`. */
const geographies = /^(middle|north|south|central)(east|america|africa|korea)$/

/** The name of one region has a direction or a number in it. `Europe` has many regions, and `Global` all. */
const isOneRegion = (name: string): boolean => /\d|north|south|east|west|central/.test(name) && !geographies.test(name)

/** Those that the metadata of a service lists. */
const listedIn = memoize(
  (metadata: ReadonlyArray<Metadata>): ReadonlySet<string> =>
    new Set(
      metadata
        .filter(({ name }) => name?.toLowerCase() === "region")
        .flatMap(({ properties }) => properties?.supportedValues ?? [])
        .flatMap(({ displayName, id }) => [displayName, id].map((one) => Region.normalize(one ?? "")))
        .filter(isOneRegion),
    ),
)

/** In UTF-16 code units, enough for a list of all regions. A longer name is not read for each region of resources: it may mean any. */
const maxLength = 5_000

/**
 * Returns how the region of an event relates to that of a resource. A name may list several regions. It excludes a resource only if each is as a whole the
 * name of a region: services also write `EU West`, `Zone 2 in West Europe` and `Europe`.
 */
export const region = (
  metadata: ReadonlyArray<Metadata>,
  location: string | null | undefined,
): ((name: string) => Relation) => {
  const listed = listedIn(metadata)
  const isKnown = (name: string) => PublicRegions.names.has(name) || listed.has(name)
  const own = base(location ?? "")
  const relationOf = (name: string): Relation => {
    const one = base(name)
    if (one === "global" || (one !== "" && one === own)) return "own"
    return isKnown(Region.normalize(name)) && isKnown(own) ? "other" : "near"
  }
  return (name) => {
    if (name.length > maxLength) return "near"
    const relations = new Set(name.split(/[/,;&|]| and /i).map(relationOf))
    return (["own", "near"] as const).find((relation) => relations.has(relation)) ?? "other"
  }
}

/** Services that others depend on. */
const foundation = /(^|\s)(network infrastructure|virtual networks?|networking|storage|disks?|dns)$/i

/** Whether a path of types is the other one, contains it, or is in it. */
const overlaps = (one: string, other: string): boolean => {
  const [a, b] = [`${one}/`, `${other}/`].map((path) => path.toLowerCase())
  return a !== undefined && b !== undefined && (a.startsWith(b) || b.startsWith(a))
}

/** How a service relates to a type of resources. `shared`: it surely is another one, on which resources of any type may depend. */
export type ServiceRelation = Relation | "shared"

/** Events and metadata write `Azure Storage` and `Storage`. */
const nameOf = (service: string): string =>
  service
    .trim()
    .toLowerCase()
    .replace(/^(azure|microsoft) /, "")

const namespace = (type: string): string => type.split("/")[0]?.toLowerCase() ?? ""

/**
 * Returns how services relate to a type of resources. A service is surely another one only if the metadata has it, and types for that of the resource, and
 * its types are of other namespaces. It is shared if it is a foundation, or has no types.
 */
export const service = (metadata: ReadonlyArray<Metadata>, type = ""): ((name: string) => ServiceRelation) => {
  const services = metadata
    .flatMap(({ properties }) => properties?.supportedValues ?? [])
    .map(({ displayName, resourceTypes }) => ({ name: nameOf(displayName ?? ""), types: resourceTypes ?? [] }))
  const isOf = (types: ReadonlyArray<string>) => types.some((one) => overlaps(one, type))
  const isKnown = services.some(({ types }) => isOf(types))
  return (name) => {
    const named = services.filter((one) => one.name !== "" && one.name === nameOf(name))
    const types = named.flatMap((one) => one.types)
    if (isOf(types)) return "own"
    const isNear = types.some((one) => namespace(one) === namespace(type))
    if (!isKnown || isNear) return "near"
    if (foundation.test(name.trim())) return "shared"
    return types.length > 0 ? "other" : named.length > 0 ? "shared" : "near"
  }
}

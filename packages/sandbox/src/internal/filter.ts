/** The query parameter `$filter`: comparisons by `eq`, joined by `or` and `and` (document, "Endpoints"; field notes, "`$filter` forms seen"). */
import * as Region from "@vigil/health-schema/Region"
import type { Shown } from "./view.js"

/** One comparison; names and values in lower case, for neither is compared by case. */
interface Comparison {
  /** `service`, `region` or `properties/<name>`. */
  readonly name: string
  readonly value: string
}

/** What must hold for an event: all comparisons of at least one group. `and` binds tighter than `or`. */
export type Filter = ReadonlyArray<ReadonlyArray<Comparison>>

/** A name, `eq`, and a value: in quotes, of which those inside are doubled, or one bare word. */
const comparison = /\s*(service|region|properties\/[a-z_]\w*)\s+eq\s+(?:'((?:[^']|'')*)'|([^\s'()]+))/iy

/** What stands between two comparisons, or nothing more. */
const joint = /\s+(and|or)\s|\s*$/iy

/** Reads a filter; without one, or with a blank one, every event is in. Nothing for what can't be read. */
export const read = (text: string | null): Filter | undefined => {
  if (text === null || text.trim() === "") return [[]]
  const groups: Array<ReadonlyArray<Comparison>> = []
  let group: Array<Comparison> = []
  let at = 0
  const take = (form: RegExp) => {
    form.lastIndex = at
    const found = form.exec(text)
    at = form.lastIndex
    return found ?? undefined
  }
  for (;;) {
    const [, name, quoted, bare = ""] = take(comparison) ?? []
    if (name === undefined) return undefined
    const value = quoted === undefined ? bare : quoted.replaceAll("''", "'")
    const property = name.toLowerCase()
    group.push({ name: property, value: property === "region" ? Region.normalize(value) : value.toLowerCase() })
    const joined = take(joint)
    if (joined === undefined) return undefined
    const [, word] = joined
    if (word?.toLowerCase() === "and") continue
    groups.push(group)
    if (word === undefined) return groups
    group = []
  }
}

const equals = (found: unknown, value: string): boolean =>
  typeof found === "number"
    ? value !== "" && Number(value) === found
    : (typeof found === "string" || typeof found === "boolean") && String(found).toLowerCase() === value

/** What an event has under a name. */
const valuesOf = ({ properties }: Shown, name: string): ReadonlyArray<unknown> => {
  const impact = properties?.impact ?? []
  if (name === "service") return impact.map(({ impactedService }) => impactedService)
  if (name === "region")
    return impact.flatMap(({ impactedRegions }) =>
      (impactedRegions ?? []).map(({ impactedRegion }) => impactedRegion && Region.normalize(impactedRegion)),
    )
  return Object.entries(properties ?? {})
    .filter(([property]) => `properties/${property.toLowerCase()}` === name)
    .map(([, value]) => value)
}

/**
 * Whether an event is in, by what its list shows of it: what is withheld, or not of the version, is not compared. Each comparison
 * is of the whole event: `service eq 'A' and region eq 'b'` does not ask that A be impacted in b.
 */
export const matches = (filter: Filter, show: () => Shown): boolean =>
  filter.some((group) => group.every(({ name, value }) => valuesOf(show(), name).some((found) => equals(found, value))))

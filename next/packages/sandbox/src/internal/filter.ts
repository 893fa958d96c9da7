/** The query parameter `$filter`: comparisons with `eq`, joined by `or` and `and` (document, "Endpoints"; field notes). */
import * as Region from "@vigil/health-schema/Region"
import type { Shown } from "./view.js"

/** What a filter can compare: an event, or a record without an impact. */
export type Filterable = Pick<Shown, "properties"> | { readonly properties?: object | null }

/** Lower case, because neither names nor values are case-sensitive. */
interface Comparison {
  readonly name: string
  readonly value: string
}

/** Groups of comparisons: at least one group must match completely, because `and` binds tighter than `or`. */
export type Filter = ReadonlyArray<ReadonlyArray<Comparison>>

const comparison = /\s*(service|region|properties\/[a-z_]\w*)\s+eq\s+(?:'((?:[^']|'')*)'|([^\s'()]+))/iy

const separator = /\s+(and|or)\s|\s*$/iy

export const read = (text: string | null): Filter | undefined => {
  if (text === null || text.trim() === "") return [[]]
  const groups: Array<ReadonlyArray<Comparison>> = []
  let group: Array<Comparison> = []
  let offset = 0
  const match = (form: RegExp) => {
    form.lastIndex = offset
    const found = form.exec(text)
    offset = form.lastIndex
    return found ?? undefined
  }
  for (;;) {
    const [, name, quoted, bare = ""] = match(comparison) ?? []
    if (name === undefined) return undefined
    const value = quoted === undefined ? bare : quoted.replaceAll("''", "'")
    const property = name.toLowerCase()
    group.push({ name: property, value: property === "region" ? Region.normalize(value) : value.toLowerCase() })
    const next = match(separator)
    if (next === undefined) return undefined
    const [, word] = next
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

const valuesOf = ({ properties }: Filterable, name: string): ReadonlyArray<unknown> => {
  const impact = (properties && "impact" in properties ? properties.impact : undefined) ?? []
  if (name === "service") return impact.map(({ impactedService }) => impactedService)
  if (name === "region")
    return impact.flatMap(({ impactedRegions }) =>
      (impactedRegions ?? []).map(({ impactedRegion }) => impactedRegion && Region.normalize(impactedRegion)),
    )
  return Object.entries(properties ?? {})
    .filter(([property]) => `properties/${property.toLowerCase()}` === name)
    .map(([, value]) => value)
}

/** Compares only what the list shows of an event. `service eq 'A' and region eq 'b'` does not require that A is impacted in b. */
export const matches = (filter: Filter, show: () => Filterable): boolean =>
  filter.some((group) => group.every(({ name, value }) => valuesOf(show(), name).some((found) => equals(found, value))))

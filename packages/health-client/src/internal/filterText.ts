/** The text that a filter is sent as. */
import type * as Filter from "../Filter.js"

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** Of a filter, not yet encoded for an address. */
export const render = (filter: Filter.Filter): string => {
  switch (filter._tag) {
    case "Service":
      return `service eq ${quoted(filter.value)}`
    case "Region":
      return `region eq ${quoted(filter.value)}`
    case "Property":
      return `properties/${filter.name} eq ${quoted(filter.value)}`
    case "Raw":
      return filter.text
    case "Or":
      return filter.parts.map(render).join(" or ")
  }
}

/** Of a query's filter, which may be a text already. */
export const of = <F extends string | undefined>(filter: Filter.Filter | F): string | F =>
  typeof filter === "object" ? render(filter) : filter

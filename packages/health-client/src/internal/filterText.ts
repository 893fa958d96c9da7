/** The text that a filter is sent as. */
import * as Filter from "../Filter.js"

/** Of a query's filter, which may be a text already. Not yet encoded for a URL. */
export const of = <F extends string | undefined>(filter: Filter.Filter | F): string | F =>
  typeof filter === "object" ? Filter.render(filter) : filter

/** Which entries of a page a watch can go by: events that can be kept. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import type * as Listing from "../Listing.js"

/** How deep an event may be nested. JSON is written by a function that calls itself, and has an end at some thousands. */
const deepest = 1_000

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const isTooDeep = (value: object): boolean => {
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true
    level = level.flatMap((one) => Object.values(one).filter(isObject))
  }
  return false
}

/** The page, its events that are nested too deep among the entries that are none. */
export const page = <V extends ApiVersion.ApiVersion>(page: Listing.EventPage<V>): Listing.EventPage<V> => {
  const items: Array<Listing.EventPage<V>["items"][number]> = []
  const invalid: Array<EventsPage.Invalid> = []
  const others = new Set(page.invalid.map(({ index }) => index))
  let index = 0
  for (const event of page.items) {
    while (others.has(index)) index += 1
    if (isTooDeep(event))
      invalid.push({
        index,
        path: "",
        reason: `is nested more than ${deepest} levels deep, and can't be kept`,
        raw: event,
      })
    else items.push(event)
    index += 1
  }
  return invalid.length === 0
    ? page
    : { ...page, items, invalid: [...page.invalid, ...invalid].toSorted((a, b) => a.index - b.index) }
}

/** All operations of the health events API: both its routes and its OpenAPI document. */
import * as events from "./healthEvents.js"
import * as lists from "./healthLists.js"

export const tags = { events: "Health events of subscriptions, resources and the tenant." }

const make = (vendor: string) => {
  const path = `/providers/${vendor}.ResourceHealth/events`
  return [...lists.operations(vendor, path), ...events.operations(vendor, path)]
}

const cache = new Map<string, ReturnType<typeof make>>()

/** The operations of a vendor, made once: making their schemas takes longer than serving a small request. */
export const operations = (vendor: string): ReturnType<typeof make> => {
  const all = cache.get(vendor) ?? make(vendor)
  cache.set(vendor, all)
  return all
}

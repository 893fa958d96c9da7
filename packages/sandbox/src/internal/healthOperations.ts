/** All operations of the health events API: both its routes and its OpenAPI document. */
import * as events from "./healthEvents.js"
import * as lists from "./healthLists.js"

export const tags = { events: "Health events of subscriptions, resources and the tenant." }

export const operations = (vendor: string) => {
  const path = `/providers/${vendor}.ResourceHealth/events`
  return [...lists.operations(vendor, path), ...events.operations(vendor, path)]
}

/** The lists of events: of a subscription, a resource (document, "Endpoints") and the tenant (public contract). */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as EventsPage from "@vigil/health-schema/EventsPage"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { WorldEvent } from "../World.js"
import { checkSubscription, isDefined, list, type ListCall, listQuery, maker, startQuery } from "./healthCall.js"
import * as errors from "./healthErrors.js"
import * as startTime from "./startTime.js"
import { inList } from "./view.js"
import { eventsOf as eventsOfResource, find, isOfTenant } from "./world/lookup.js"

const make = maker("events")

const eventsOf = (call: ListCall, events: ReadonlyArray<WorldEvent>, start?: string | null) => {
  const { version, world } = call
  const defined = events.filter((event) => isDefined(version, event))
  return list(call, defined, ({ event }) => inList(event, version, world.vendor), start)
}

const eventsSince = (call: ListCall, events: ReadonlyArray<WorldEvent>, text: string | null) => {
  const start = startTime.read(text, call.world.now)
  return start === undefined
    ? errors.invalidStartTime
    : eventsOf(
        call,
        events.filter(({ lastUpdate }) => lastUpdate >= start),
        text,
      )
}

export const operations = (vendor: string, events: string) => {
  const success = Schema.Union(ApiVersion.all.map((version) => EventsPage.schema(version, { vendor })))
  return [
    make({
      name: "listBySubscription",
      summary: "List the events of a subscription",
      description: "The events of a subscription that were updated at or after `queryStartTime`.",
      path: `/subscriptions/:subscriptionId${events}`,
      query: { ...listQuery, ...startQuery },
      success,
      errors: [404],
      handle: Effect.fnUntraced(function* (call) {
        const { world } = call
        const id = call.params["subscriptionId"] ?? ""
        yield* checkSubscription(world, id)
        const isIn = ({ subscriptions }: WorldEvent) => subscriptions.includes(id)
        return yield* eventsSince(call, world.events.filter(isIn), call.query("queryStartTime"))
      }),
    }),
    make({
      name: "listByResource",
      summary: "List the events of a resource",
      description: "All events of a resource. The slashes of `resourceUri` may be encoded.",
      path: `/*resourceUri${events}`,
      query: listQuery,
      success,
      errors: [404],
      handle: Effect.fnUntraced(function* (call) {
        const uri = `/${call.params["resourceUri"]}`
        const resource = find(call.world, uri)
        if (resource === undefined) return yield* errors.unknownResource(uri)
        return yield* eventsOf(call, eventsOfResource(call.world, resource))
      }),
    }),
    make({
      name: "listByTenant",
      summary: "List the events of the tenant",
      description:
        "The events of the tenant, which no subscription has, that were updated at or after `queryStartTime`.",
      path: events,
      query: { ...listQuery, ...startQuery },
      success,
      handle: (call) => eventsSince(call, call.world.events.filter(isOfTenant), call.query("queryStartTime")),
    }),
  ]
}

/** An event in an answer. */
import type { JoinedEvent } from "@vigil/health-client/Sweep"
import * as Labels from "@vigil/health-report/Labels"
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Schema from "effect/Schema"
import * as quote from "./quote.js"

/** The least that identifies an event to a reader. */
export const brief = { trackingId: Schema.String, level: Schema.String, quotedTitle: Schema.String }

export const makeBrief = (event: HealthEvent.AnyEvent) => ({
  trackingId: quote.name(event.name),
  level: HealthEvent.knownLevel(event) ?? "",
  quotedTitle: quote.line(event.properties?.title ?? "", 200),
})

const names = Schema.Array(Schema.String)

export const Row = Schema.Struct({
  ...brief,
  type: Schema.String,
  status: Schema.String,
  services: names,
  regions: names,
  start: Schema.String,
  updated: Schema.String,
  subscriptions: names,
})

export const make = ({ event, subscriptions }: JoinedEvent<ApiVersion>): typeof Row.Type => {
  const { eventType, impactStartTime, lastUpdateTime, status } = event.properties ?? {}
  return {
    ...makeBrief(event),
    type: quote.name(eventType),
    status: quote.name(status),
    services: quote.names(Labels.services(event)),
    regions: quote.names(Labels.regions(event)),
    start: impactStartTime ?? "",
    updated: lastUpdateTime ?? "",
    subscriptions: quote.names(subscriptions),
  }
}

/** An event as a row of a result. */
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Severity from "@vigil/health-report/Severity"
import * as Events from "@vigil/health-schema/Events"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as quote from "./quote.js"

export interface Found {
  readonly event: HealthEvent.AnyEvent
  readonly subscriptions: ReadonlyArray<SubscriptionId>
}

const names = Schema.Array(Schema.String)

export const Row = Schema.Struct({
  trackingId: Schema.String,
  type: Schema.String,
  status: Schema.String,
  level: Schema.String,
  quotedTitle: Schema.String,
  services: names,
  regions: names,
  start: Schema.String,
  updated: Schema.String,
  subscriptions: names,
})

export type Row = typeof Row.Type

const nameLength = 60
const maxNames = 5

/** A name that the service chose. */
export const name = (text: string | null | undefined): string => quote.line(text ?? "", nameLength)

/** The first distinct names, and how many more there are. */
export const some = (all: Iterable<string>): ReadonlyArray<string> => {
  const known = [...new Set(Array.from(all, name))].filter((one) => one !== "")
  const more = known.length - maxNames
  return more > 0 ? [...known.slice(0, maxNames), `${more} more`] : known
}

export const fromFound = ({ event, subscriptions }: Found): Row => {
  const { eventType, impactStartTime, lastUpdateTime, status, title } = event.properties ?? {}
  const impacts = Events.impacts(event)
  return {
    trackingId: name(event.name),
    type: name(eventType),
    status: name(status),
    level: HealthEvent.knownLevel(event) ?? "",
    quotedTitle: quote.line(title ?? "", 200),
    services: some(impacts.map(({ service }) => service)),
    regions: some(impacts.map(({ region }) => region)),
    start: impactStartTime ?? "",
    updated: lastUpdateTime ?? "",
    subscriptions: some(subscriptions),
  }
}

/** A row as texts. */
export const toFacts = (found: Found): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fromFound(found)).map(([name, value]) => [name, String(value)]))

/** The least that identifies an event to a reader. */
export const Brief = Schema.Struct({ trackingId: Schema.String, level: Schema.String, quotedTitle: Schema.String })

export const toBrief = (found: Found): typeof Brief.Type => {
  const { level, quotedTitle, trackingId } = fromFound(found)
  return { trackingId, level, quotedTitle }
}

const updated = ({ event }: Found): number =>
  Option.match(Timestamp.instant(event.properties?.lastUpdateTime), { onNone: () => 0, onSome: DateTime.toEpochMillis })

/** Identifies an event over several calls. */
const keyOf = ({ event }: Found): string => HealthEvent.eventKey(event) ?? JSON.stringify(event)

/** Latest update first. */
export const byUpdate: Order.Order<Found> = Order.combine(
  Order.flip(Order.mapInput(Order.Number, updated)),
  Order.mapInput(Order.String, keyOf),
)

/** Unresolved issues first, then by level and time. */
export const byImportance: Order.Order<Found> = Order.combine(
  Order.mapInput(
    Order.Number,
    ({ event }) =>
      (HealthEvent.isResolved(event) ? 20 : 0) +
      (Severity.isNotice(event) ? 10 : 0) +
      Severity.rank(Severity.fromEvent(event)),
  ),
  byUpdate,
)

/** Events and their impacts with what reports need of them, computed once. Times are in milliseconds since 1970. */
import * as Events from "@vigil/health-schema/Events"
import { type AnyEvent, isResolved } from "@vigil/health-schema/HealthEvent"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Labels from "../Labels.js"
import * as Severity from "../Severity.js"
import * as Moment from "./moment.js"
import type * as Period from "./period.js"

export interface Item {
  readonly event: AnyEvent
  /** The ID of the element of the event. */
  readonly anchor: string
  readonly title: string
  readonly level: string
  readonly severity: Severity.Severity
  readonly isNotice: boolean
  readonly isActive: boolean
  readonly interval: Period.Interval | undefined
  readonly updated: number | undefined
}

/** The impact of an event on a service in a region. The names may be empty. */
export interface Impact {
  readonly service: string
  readonly region: string
  /** Absent if the start is missing, or after the end. */
  readonly interval: Period.Interval | undefined
  readonly item: Item
}

const intervalOf = (interval: Option.Option<Events.Interval>): Period.Interval | undefined =>
  Option.isNone(interval)
    ? undefined
    : {
        start: DateTime.toEpochMillis(interval.value.start),
        end: Option.isNone(interval.value.end) ? Infinity : DateTime.toEpochMillis(interval.value.end.value),
      }

/** A plain and unique tracking ID becomes the anchor, so that a link stays valid in later reports. */
export const make = (events: ReadonlyArray<AnyEvent>): ReadonlyArray<Item> => {
  const used = new Set<string>()
  return events.map((event, index) => {
    const own = `event-${event.name}`
    const anchor = event.name && /^[\w-]+$/.test(event.name) && !used.has(own) ? own : `event-${index + 1}`
    used.add(anchor)
    const severity = Severity.fromEvent(event)
    return {
      event,
      anchor,
      title: Labels.title(event),
      level: severity === "Other" ? Labels.level(event) : severity,
      severity,
      isNotice: Severity.isNotice(event),
      isActive: !isResolved(event),
      interval: intervalOf(Events.interval(event)),
      updated: Moment.parse(event.properties?.lastUpdateTime),
    }
  })
}

/** The impacts of an event. For an event without services, its own interval. */
export const impacts = (item: Item): ReadonlyArray<Impact> => {
  const named = Events.impacts(item.event)
  return named.length === 0
    ? [{ service: "", region: "", interval: item.interval, item }]
    : named.map(({ interval, region, service }) => ({ service, region, interval: intervalOf(interval), item }))
}

/** An impact with an interval. */
export type Dated = Impact & Period.Dated

export const isDated = (impact: Impact): impact is Dated => impact.interval !== undefined

/** Events and their impacts with what reports need of them, computed once. Times are in milliseconds since 1970. */
import * as Events from "@vigil/health-schema/Events"
import { type AnyEvent, isNotice } from "@vigil/health-schema/HealthEvent"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import * as SafeText from "@vigil/health-text/SafeText"
import * as Severity from "@vigil/health-text/Severity"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
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
  /** As in `Events.interval`. The end is `Infinity` if it is not known. */
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

const millis = (interval: Option.Option<Events.Interval>): Period.Interval | undefined =>
  Option.isNone(interval)
    ? undefined
    : {
        start: DateTime.toEpochMillis(interval.value.start),
        end: Option.match(interval.value.end, { onNone: () => Infinity, onSome: DateTime.toEpochMillis }),
      }

/** In UTF-16 code units. A title stands in several places, and a browser takes minutes for one of megabytes. */
const maxTitle = 1_000

/** The names of services and regions stand in tables, filters and tooltips. */
const maxName = 200

const short = (name: string | null = ""): string => SafeText.cut(name ?? "", maxName)

const withShortNames = (event: AnyEvent): AnyEvent => {
  const names = [...Labels.services(event), ...Labels.regions(event)]
  if (names.every(({ length }) => length <= maxName)) return event
  const impact = (event.properties?.impact ?? []).map((one) => ({
    ...one,
    impactedService: short(one.impactedService),
    impactedRegions: (one.impactedRegions ?? []).map((region) => ({
      ...region,
      impactedRegion: short(region.impactedRegion),
    })),
  }))
  return { ...event, properties: { ...event.properties, impact } }
}

/** The anchor of a plain tracking ID, so that a link stays valid in later reports. */
export const anchorOf = ({ name }: AnyEvent): string | undefined =>
  name && /^[\w-]+$/.test(name) ? `event-${name}` : undefined

/** No tracking ID is like the anchors of events without a plain and unique one. */
export const make = (events: ReadonlyArray<AnyEvent>): ReadonlyArray<Item> => {
  const used = new Set<string>()
  return events.map((event, index) => {
    const own = anchorOf(event)
    const anchor = own !== undefined && !used.has(own) ? own : `event.${index + 1}`
    used.add(anchor)
    return {
      event: withShortNames(event),
      anchor,
      title: SafeText.cut(Labels.title(event), maxTitle),
      level: Labels.level(event),
      severity: Severity.fromEvent(event),
      isNotice: isNotice(event),
      isActive: Events.isActive(event),
      interval: millis(Events.interval(event)),
      updated: Moment.parse(event.properties?.lastUpdateTime),
    }
  })
}

/** The impacts of an event. Without services, its own interval. */
export const impacts = (item: Item): ReadonlyArray<Impact> => {
  const all = Events.impacts(item.event)
  return all.length === 0
    ? [{ service: "", region: "", interval: item.interval, item }]
    : all.map(({ interval, region, service }) => ({ service, region, interval: millis(interval), item }))
}

/** An impact with an interval. */
export type Dated = Impact & Period.Dated

export const isDated = (impact: Impact): impact is Dated => impact.interval !== undefined

/** Events and their impacts with what reports need of them, computed once. Times are in milliseconds since 1970. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import { type AnyEvent, isResolved, isResolvedStatus } from "@vigil/health-schema/HealthEvent"
import type { ImpactedServiceRegion } from "@vigil/health-schema/Impact"
import * as Labels from "../Labels.js"
import * as Severity from "../Severity.js"
import * as Moment from "./moment.js"
import type * as Period from "./period.js"

type Region = ImpactedServiceRegion<ApiVersion.ApiVersion>

export interface Item {
  readonly event: AnyEvent
  /** The ID of the element of the event. */
  readonly anchor: string
  readonly title: string
  readonly level: string
  readonly severity: Severity.Severity
  readonly isNotice: boolean
  readonly isActive: boolean
  /** The same as `Events.interval`. */
  readonly interval: Period.Interval | undefined
  readonly mitigated: number | undefined
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

/** A plain and unique tracking ID becomes the anchor, so that a link stays valid in later reports. No ID is like the anchors of others. */
export const make = (events: ReadonlyArray<AnyEvent>): ReadonlyArray<Item> => {
  const used = new Set<string>()
  return events.map((event, index) => {
    const own = `event-${event.name}`
    const anchor = event.name && /^[\w-]+$/.test(event.name) && !used.has(own) ? own : `event.${index + 1}`
    used.add(anchor)
    const severity = Severity.fromEvent(event)
    const isActive = !isResolved(event)
    const { impactMitigationTime, impactStartTime, lastUpdateTime } = event.properties ?? {}
    const start = Moment.parse(impactStartTime)
    const mitigated = Moment.parse(impactMitigationTime)
    const updated = Moment.parse(lastUpdateTime)
    const end = mitigated ?? (isActive ? Infinity : (updated ?? Infinity))
    return {
      event,
      anchor,
      title: Labels.title(event),
      level: severity === "Other" ? Labels.level(event) : severity,
      severity,
      isNotice: Severity.isNotice(event),
      isActive,
      interval: start === undefined || end < start ? undefined : { start, end },
      mitigated,
      updated,
    }
  })
}

/** When a region is resolved, its impact ends. */
const endOf = ({ end, start }: Period.Interval, { lastUpdateTime, status }: Region): number =>
  isResolvedStatus(status) ? Math.max(start, Math.min(end, Moment.parse(lastUpdateTime) ?? Infinity)) : end

const whole: Region = {}

/** The same impacts as `Events.impacts`, with times as numbers. For an event without services, its own interval. */
export const impacts = (item: Item): ReadonlyArray<Impact> => {
  const { event, interval } = item
  const named = event.properties?.impact ?? []
  if (named.length === 0) return [{ service: "", region: "", interval, item }]
  return named.flatMap(({ impactedRegions, impactedService }) =>
    (impactedRegions?.length ? impactedRegions : [whole]).map((region: Region) => ({
      service: impactedService ?? "",
      region: region.impactedRegion ?? "",
      interval: interval && { start: interval.start, end: endOf(interval, region) },
      item,
    })),
  )
}

/** An impact with an interval. */
export type Dated = Impact & Period.Dated

export const isDated = (impact: Impact): impact is Dated => impact.interval !== undefined

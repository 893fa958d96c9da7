/** How long services had issues in each region. */
import * as Region from "@vigil/health-schema/Region"
import * as Order from "effect/Order"
import * as Items from "./internal/items.js"
import * as Period from "./internal/period.js"
import type * as Severity from "@vigil/health-text/Severity"
import type { Snapshot } from "./Snapshot.js"

/** The time of issues of a service in a region. The names may be empty. @category models @since 0.2.0 */
export interface Row {
  readonly service: string
  readonly region: string
  /** Minutes with an issue, by level. Issues of one level that overlap count once. */
  readonly minutes: { readonly [S in Severity.Severity]: number }
  /** Minutes with an issue of any level. Issues that overlap count once. */
  readonly total: number
  /** The share of the interval without an issue, from 0 to 1. */
  readonly share: number
}

/** The availability of a snapshot. @category models @since 0.2.0 */
export interface Availability {
  /** The services and regions with an issue in the interval, longest first. */
  readonly rows: ReadonlyArray<Row>
  /** Impacts of issues whose start, or end after a resolution, is missing. They are not counted. */
  readonly undated: number
}

const order = Order.combineAll<Row>([
  Order.mapInput(Order.flip(Order.Number), ({ total }) => total),
  Order.mapInput(Order.String, ({ service }) => service),
  Order.mapInput(Order.String, ({ region }) => region),
])

const isDated = (impact: Items.Impact): impact is Items.Dated =>
  Items.isDated(impact) && (impact.interval.end < Infinity || impact.item.isActive)

const placeOf = ({ region, service }: Items.Impact): string =>
  JSON.stringify([service.toLowerCase(), Region.normalize(region)])

/**
 * Measures the issues of a snapshot, all events but notices (`HealthEvent.isNotice`), from its start to `now`. An issue that is not resolved
 * lasts until `now`. Case, and spaces and dashes of regions, do not distinguish places. Lists contain only events with an update in the interval.
 * @category constructors @since 0.2.0
 */
export const make = (snapshot: Pick<Snapshot, "events" | "from" | "now">): Availability =>
  measure(Items.make(snapshot.events).flatMap(Items.impacts), snapshot)

/** Like `make`, for impacts from `Timeline.impacts`. @category constructors @since 0.2.0 */
export const measure = (
  all: ReadonlyArray<Items.Impact>,
  { from, now }: Pick<Snapshot, "from" | "now">,
): Availability => {
  const period = { from, now, to: now }
  const minutes = (impacts: ReadonlyArray<Items.Dated>) => Period.elapsed(period, impacts) / 60_000
  const impacts = all.filter(({ item }) => !item.isNotice)
  const dated = impacts.filter(isDated)
  const rows = Array.from(Map.groupBy(dated, placeOf).values(), (own): Row => {
    const byLevel = Map.groupBy(own, ({ item }) => item.severity)
    const level = (severity: Severity.Severity) => minutes(byLevel.get(severity) ?? [])
    const total = minutes(own)
    return {
      service: own[0]?.service ?? "",
      region: own[0]?.region ?? "",
      minutes: {
        Critical: level("Critical"),
        Error: level("Error"),
        Warning: level("Warning"),
        Informational: level("Informational"),
        Other: level("Other"),
      },
      total,
      share: 1 - (total * 60_000) / (now - from),
    }
  })
  return { rows: rows.filter(({ total }) => total > 0).toSorted(order), undated: impacts.length - dated.length }
}

/** Returns minutes as a whole number, at least one: `1,204`. @category conversions @since 0.2.0 */
export const count = (minutes: number): string => Math.max(1, Math.round(minutes)).toLocaleString("en-US")

/** Returns a share as a percentage of three digits, rounded down: `100.000%` is no issue at all. @category conversions @since 0.2.0 */
export const percentage = (share: number): string =>
  `${(Math.floor(Number((share * 100_000).toFixed(6))) / 1_000).toFixed(3)}%`

/** The content of a report: events in display order. */
import * as Events from "@vigil/health-schema/Events"
import * as Priority from "@vigil/health-schema/Priority"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import type { Snapshot } from "../Snapshot.js"
import * as Availability from "../Availability.js"
import * as Severity from "../Severity.js"
import * as Verdict from "../Verdict.js"
import * as Lanes from "./lanes.js"
import type * as Period from "./period.js"
import { type AnyEvent, isResolved } from "@vigil/health-schema/HealthEvent"

export interface Item {
  readonly event: AnyEvent
  readonly anchor: string
  readonly severity: Severity.Severity
  readonly isNotice: boolean
  readonly isActive: boolean
}

export interface Impact extends Lanes.Impact {
  readonly item: Item
}

export interface Subject {
  readonly source: string
  readonly verdict: Verdict.Verdict
  readonly availability: Availability.Availability
  readonly items: ReadonlyArray<Item>
  readonly impacts: ReadonlyArray<Impact>
  readonly period: Period.Period
  readonly rows: ReadonlyArray<Lanes.Row>
  readonly anchorOf: (event: AnyEvent) => string
}

const by = <A>(rank: (item: Sortable) => A, order: Order.Order<A>) => Order.mapInput(order, rank)

/** Each item has its time of update, because a sort compares it many times. */
type Sortable = Omit<Item, "anchor"> & { readonly updated: number }

const sortable = (event: AnyEvent): Sortable => ({
  event,
  severity: Severity.fromEvent(event),
  isNotice: Severity.isNotice(event),
  isActive: !isResolved(event),
  updated: Option.match(Timestamp.instant(event.properties?.lastUpdateTime), {
    onNone: () => 0,
    onSome: DateTime.toEpochMillis,
  }),
})

/** Active before resolved, issues before notices, then by level, latest update and priority. */
const order: Order.Order<Sortable> = Order.combineAll([
  by(({ isActive }) => !isActive, Order.Boolean),
  by(({ isActive, isNotice }) => isActive && isNotice, Order.Boolean),
  by(({ isActive, severity }) => (isActive ? Severity.rank(severity) : 0), Order.Number),
  by(({ updated }) => updated, Order.flip(Order.Number)),
  by(({ event }) => event, Priority.byPriority),
])

/** The tracking ID if it is plain and unique, so that a link stays valid in later reports. */
const anchors = () => {
  const used = new Set<string>()
  return ({ name }: AnyEvent, index: number): string => {
    const own = `event-${name}`
    const anchor = name && /^[\w-]+$/.test(name) && !used.has(own) ? own : `event-${index + 1}`
    used.add(anchor)
    return anchor
  }
}

export const make = (snapshot: Snapshot): Subject => {
  const { events, from, now, source } = snapshot
  const anchorFor = anchors()
  const items = events
    .map(sortable)
    .toSorted(order)
    .map((item, index) => ({ ...item, anchor: anchorFor(item.event, index) }))
  const impacts = items.flatMap((item) => Lanes.impactsOf(item.event).map((impact) => ({ ...impact, item })))
  const period = Lanes.period(from, now, impacts)
  const anchorsOfEvents = new Map(items.map(({ anchor, event }) => [event, anchor]))
  return {
    source,
    verdict: Verdict.make(snapshot),
    availability: Availability.measure(impacts, snapshot),
    items,
    impacts,
    period,
    rows: Lanes.rows(period, impacts),
    anchorOf: (event) => anchorsOfEvents.get(event) ?? "",
  }
}

export const current = ({ impacts, period }: Subject): ReadonlyArray<Impact> => {
  const now = DateTime.makeUnsafe(period.now)
  return impacts.filter(
    ({ event, interval }) =>
      Events.isActiveAt(event, now) &&
      Option.match(interval, {
        onNone: () => true,
        onSome: ({ end }) => !Option.exists(end, DateTime.isLessThanOrEqualTo(now)),
      }),
  )
}

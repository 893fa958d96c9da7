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

const updated = (event: AnyEvent): number =>
  Option.match(Timestamp.instant(event.properties?.lastUpdateTime), {
    onNone: () => 0,
    onSome: DateTime.toEpochMillis,
  })

const by = <A>(rank: (event: AnyEvent) => A, order: Order.Order<A>) => Order.mapInput(order, rank)

/** Active before resolved, issues before notices, then by level, latest update and priority. */
const order: Order.Order<AnyEvent> = Order.combineAll([
  by(isResolved, Order.Boolean),
  by((event) => !isResolved(event) && Severity.isNotice(event), Order.Boolean),
  by((event) => (isResolved(event) ? 0 : Severity.rank(Severity.fromEvent(event))), Order.Number),
  by(updated, Order.flip(Order.Number)),
  Priority.byPriority,
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
  const items = events.toSorted(order).map((event, index) => ({
    event,
    anchor: anchorFor(event, index),
    severity: Severity.fromEvent(event),
    isNotice: Severity.isNotice(event),
    isActive: !isResolved(event),
  }))
  const impacts = items.flatMap((item) => Lanes.impactsOf(item.event).map((impact) => ({ ...impact, item })))
  const period = Lanes.period(from, now, impacts)
  const anchorsOfEvents = new Map(items.map(({ anchor, event }) => [event, anchor]))
  return {
    source,
    verdict: Verdict.make(snapshot),
    availability: Availability.make(snapshot),
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

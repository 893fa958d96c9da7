/** The content of a report: events in display order, and their impacts. */
import * as Events from "@vigil/health-schema/Events"
import * as Priority from "@vigil/health-schema/Priority"
import * as Severity from "@vigil/health-text/Severity"
import type { Assessment } from "@vigil/health-verdict/Assessment"
import type { FailedList } from "@vigil/health-verdict/Evidence"
import * as DateTime from "effect/DateTime"
import * as Order from "effect/Order"
import * as Availability from "../Availability.js"
import * as ResourceStates from "../ResourceStates.js"
import type { Snapshot } from "../Snapshot.js"
import * as EventSummary from "../EventSummary.js"
import * as Anchors from "./anchors.js"
import * as ResourceEvents from "./resourceEvents.js"
import * as Items from "./items.js"
import * as Lanes from "./lanes.js"
import * as Period from "./period.js"
import * as Owners from "./owners.js"

export interface Report {
  readonly source: string
  readonly owners: Owners.Owners
  readonly summary: EventSummary.EventSummary
  readonly failed: ReadonlyArray<FailedList>
  readonly resources: ResourceStates.ResourceStates | undefined
  /** The anchors of the affected resources. */
  readonly places: ReadonlyMap<Assessment, string>
  /** The events by their tracking IDs in lower case. */
  readonly known: ReadonlyMap<string, Items.Item>
  /** The events of now that hit the resources. Empty if these were not read. */
  readonly resourceEvents: ReadonlyMap<Items.Item, ResourceEvents.ResourceEvent>
  readonly availability: Availability.Availability
  readonly items: ReadonlyArray<Items.Item>
  readonly impacts: ReadonlyArray<Items.Impact>
  /** The impacts now: of events that have an impact, on regions that are not resolved. */
  readonly current: ReadonlyArray<Items.Impact>
  readonly period: Period.Period
  readonly rows: ReadonlyArray<Lanes.Row>
}

const by = <A>(rank: (item: Items.Item) => A, order: Order.Order<A>) => Order.mapInput(order, rank)

/** Active before resolved, issues before notices, then by level, latest update and priority. */
const order: Order.Order<Items.Item> = Order.combineAll([
  by(({ isActive }) => !isActive, Order.Boolean),
  by(({ isActive, isNotice }) => isActive && isNotice, Order.Boolean),
  by(({ isActive, severity }) => (isActive ? Severity.rank(severity) : 0), Order.Number),
  by(({ updated = 0 }) => updated, Order.flip(Order.Number)),
  by(({ event }) => event, Priority.byPriority),
])

export const make = (snapshot: Snapshot): Report => {
  const { events, failed, from, now, source } = snapshot
  const items = Items.make(events).toSorted(order)
  const impacts = items.flatMap(Items.impacts)
  const dated = impacts.filter(Items.isDated)
  const period = Period.make(from, now, dated)
  const isActiveAt = Events.isActiveAt(DateTime.makeUnsafe(now))
  const resources = ResourceStates.make(snapshot)
  return {
    source,
    owners: Owners.make(snapshot),
    summary: EventSummary.make(snapshot),
    failed,
    resources,
    places: Anchors.make(resources?.affected ?? []),
    known: new Map(items.map((item) => [item.event.name?.toLowerCase() ?? "", item])),
    resourceEvents: resources === undefined ? new Map() : ResourceEvents.make(items, resources.all, snapshot),
    availability: Availability.measure(impacts, snapshot),
    items,
    impacts,
    current: impacts.filter(({ interval, item }) => (interval?.end ?? Infinity) > now && isActiveAt(item.event)),
    period,
    rows: Lanes.rows(period, dated),
  }
}

/** Before a noun of which there is none: what was not read, or is not selected, may have some. */
export const qualifier = (summary: EventSummary.EventSummary): string =>
  summary.isFiltered ? "selected " : EventSummary.isSure(summary) ? "" : "known "

/** Says that there is none. */
export const none = ({ summary }: Pick<Report, "summary">, noun: string): string =>
  `No ${qualifier(summary)}${noun}${EventSummary.remark(summary.gaps)}.`

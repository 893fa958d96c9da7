/** Which of the events of now hit the resources of a snapshot: those that name some, and those of their services and regions. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as Nearby from "@vigil/health-verdict/Nearby"
import type { Snapshot } from "../Snapshot.js"
import type { Item } from "./items.js"

export interface ResourceEvent {
  readonly item: Item
  /** The resources that it names, the worst first. */
  readonly resources: ReadonlyArray<Assessment.Assessment>
  /** How many other resources are of a service and region that it names. */
  readonly nearby: number
}

/** The events of a subscription that no other list has concern its own resources. Others concern all. */
const ownersOf = ({ everyone, subscriptions = [], tenant }: Snapshot) => {
  const shared = new Set([...(tenant?.events ?? []), ...(everyone?.events ?? [])].map(HealthEvent.eventKey))
  const owned = subscriptions.flatMap(({ events, id }) => events.map((event) => ({ event, id })))
  const byEvent = Map.groupBy(owned, ({ event }) => HealthEvent.eventKey(event))
  return (event: HealthEvent.AnyEvent): ReadonlyArray<string | undefined> => {
    const key = HealthEvent.eventKey(event)
    const ids = byEvent.get(key)?.map(({ id }) => id) ?? []
    return shared.has(key) || ids.length === 0 ? [undefined] : [...new Set(ids)]
  }
}

/** Those that name resources come first; each part keeps the order of `items`. */
export const make = (
  items: ReadonlyArray<Item>,
  all: ReadonlyArray<Assessment.Assessment>,
  snapshot: Snapshot,
): ReadonlyMap<Item, ResourceEvent> => {
  const { now, resources: read } = snapshot
  const countOf = Nearby.bySubscription(
    all.map(({ status }) => status),
    now,
    read?.metadata,
  )
  const owners = ownersOf(snapshot)
  const count = (event: HealthEvent.AnyEvent) => owners(event).reduce((sum, id) => sum + countOf(id)(event).sure, 0)
  // An event can have several records, which are one item.
  const keyOf = (event: HealthEvent.AnyEvent) => HealthEvent.trackingKey(event) ?? event
  const named = all.flatMap((one) => Array.from(new Set(one.events.map(keyOf)), (key) => ({ key, one })))
  const byEvent = Map.groupBy(named, ({ key }) => key)
  const isUnderWay = Assessment.isUnderWay(now)
  const found = items
    .filter(({ event }) => isUnderWay(event))
    .map((item): ResourceEvent => {
      const resources = (byEvent.get(keyOf(item.event)) ?? []).map(({ one }) => one).toSorted(Assessment.order)
      return { item, resources, nearby: Math.max(0, count(item.event) - resources.length) }
    })
  const naming = found.filter(({ resources }) => resources.length > 0)
  const near = found.filter(({ nearby, resources }) => resources.length === 0 && nearby > 0)
  return new Map([...naming, ...near].map((one) => [one.item, one]))
}

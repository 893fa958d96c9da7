/** Which of the events of now hit the resources of a snapshot: those that name some, and those of their services and regions. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { Metadata } from "@vigil/health-schema/Metadata"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as Nearby from "@vigil/health-verdict/Nearby"
import type { Item } from "./items.js"

export interface ResourceEvent {
  readonly item: Item
  /** The resources that it names, the worst first. */
  readonly resources: ReadonlyArray<Assessment.Assessment>
  /** How many other resources are of a service and region that it names. */
  readonly nearby: number
}

/** Those that name resources come first; each part keeps the order of `items`. */
export const make = (
  items: ReadonlyArray<Item>,
  all: ReadonlyArray<Assessment.Assessment>,
  { metadata, now }: { readonly metadata?: ReadonlyArray<Metadata> | undefined; readonly now: number },
): ReadonlyMap<Item, ResourceEvent> => {
  const count = Nearby.make(
    all.map(({ status }) => status),
    now,
    metadata,
  )
  // An event can have several records, which are one item.
  const keyOf = (event: HealthEvent.AnyEvent) => HealthEvent.trackingKey(event) ?? event
  const named = all.flatMap((one) => Array.from(new Set(one.events.map(keyOf)), (key) => ({ key, one })))
  const byEvent = Map.groupBy(named, ({ key }) => key)
  const isUnderWay = Assessment.isUnderWay(now)
  const found = items
    .filter(({ event }) => isUnderWay(event))
    .map((item): ResourceEvent => {
      const resources = (byEvent.get(keyOf(item.event)) ?? []).map(({ one }) => one).toSorted(Assessment.order)
      return { item, resources, nearby: Math.max(0, count(item.event).sure - resources.length) }
    })
  const naming = found.filter(({ resources }) => resources.length > 0)
  const near = found.filter(({ nearby, resources }) => resources.length === 0 && nearby > 0)
  return new Map([...naming, ...near].map((one) => [one.item, one]))
}

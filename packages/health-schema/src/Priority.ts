/** The priority of an event, as sent or derived, and the order of importance. */
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import { EventLevel } from "./Enumerations.js"
import * as HealthEvent from "./HealthEvent.js"
import * as Timestamp from "./Timestamp.js"

/** Other types have no rank. */
const types = ["ServiceIssue", "PlannedMaintenance", "HealthAdvisory"]

const rank = (ranked: ReadonlyArray<string>, value: string | null | undefined): Option.Option<number> => {
  const index = ranked.findIndex((one) => one.toLowerCase() === value?.toLowerCase())
  return index < 0 ? Option.none() : Option.some(index)
}

/**
 * Derives the priority from 0 (highest) to 23: by type, then `HealthEvent.isResolved`, then `HealthEvent.knownLevel`. `None` if the type or the
 * level has no rank. The order of the three rules is inferred: with the type first, only this order matches the published samples.
 * @category getters @since 0.1.0
 */
export const derive = (event: HealthEvent.AnyEvent): Option.Option<number> =>
  Option.map(
    Option.all([rank(types, event.properties?.eventType), rank(EventLevel.known, HealthEvent.knownLevel(event))]),
    ([type, level]) => (type * 2 + (HealthEvent.isResolved(event) ? 1 : 0)) * EventLevel.known.length + level,
  )

/** Returns the priority that was sent, else the derived one. @category getters @since 0.1.0 */
export const priority = (event: HealthEvent.AnyEvent): Option.Option<number> =>
  Option.orElse(Option.fromNullishOr(event.properties?.priority), () => derive(event))

/** Orders events by `priority`, highest first, then events without a priority. @category ordering @since 0.1.0 */
export const byPriority: Order.Order<HealthEvent.AnyEvent> = Order.mapInput(
  Order.Number,
  (event: HealthEvent.AnyEvent) => Option.getOrElse(priority(event), () => Number.POSITIVE_INFINITY),
)

const levelRank = (event: HealthEvent.AnyEvent): number =>
  Option.getOrElse(rank(EventLevel.known, HealthEvent.knownLevel(event)), () => EventLevel.known.length)

/**
 * Orders events by what an operator reads first: unresolved before resolved, issues before notices (`HealthEvent.isNotice`), the highest level,
 * the latest update. Unlike `byPriority`, it ranks every type.
 * @category ordering @since 0.2.0
 */
export const byImportance: Order.Order<HealthEvent.AnyEvent> = /* @__PURE__ */ Order.combineAll([
  /* @__PURE__ */ Order.mapInput(Order.Boolean, HealthEvent.isResolved),
  /* @__PURE__ */ Order.mapInput(Order.Boolean, HealthEvent.isNotice),
  /* @__PURE__ */ Order.mapInput(Order.Number, levelRank),
  /* @__PURE__ */ Order.mapInput(Timestamp.latestFirst, ({ properties }) => properties?.lastUpdateTime),
])

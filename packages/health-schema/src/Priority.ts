/** What to look at first: the priority of an event, as sent or as derived, and the order that follows from it. */
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as ApiVersion from "./ApiVersion.js"
import * as Enumerations from "./Enumerations.js"
import type * as HealthEvent from "./HealthEvent.js"
import * as OpenEnum from "./OpenEnum.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>

/** The types that have a rank, first the highest (document, "Priority ordering rules", 1). */
const types = ["ServiceIssue", "PlannedMaintenance", "HealthAdvisory"] as const

const rank = <Known extends string>(
  enumeration: OpenEnum.Enumeration<Known>,
  ranked: ReadonlyArray<string>,
  value: string | null | undefined,
): Option.Option<number> =>
  Option.fromNullable(OpenEnum.known(enumeration, value)).pipe(
    Option.map((known) => ranked.indexOf(known)),
    Option.filter((index) => index >= 0),
  )

/**
 * The priority that the document's three rules give an event, from 0 (highest) to 23: by type, then status, then
 * `eventLevel`. `None` when one of them has no rank: another type, or a value that is absent or unknown.
 *
 * The document does not say which rule goes first. This order, type first, then status, then level, is inferred: it is the
 * only one with the type first that fits the published samples, and 3 types × 2 statuses × 4 levels are its 24 values.
 *
 * @category getters
 * @since 0.1.0
 */
export const derive = (event: AnyEvent): Option.Option<number> => {
  const { eventLevel, eventType, status } = event.properties ?? {}
  const { EventLevel, EventStatus, EventType } = Enumerations
  return Option.map(
    Option.all([
      rank(EventType[ApiVersion.latest], types, eventType),
      rank(EventStatus, EventStatus.known, status),
      rank(EventLevel, EventLevel.known, eventLevel),
    ]),
    ([type, state, level]) => (type * EventStatus.known.length + state) * EventLevel.known.length + level,
  )
}

/**
 * The priority that was sent, else the derived one.
 *
 * @category getters
 * @since 0.1.0
 */
export const priority = (event: AnyEvent): Option.Option<number> =>
  Option.orElse(Option.fromNullable(event.properties?.priority), () => derive(event))

/**
 * Events by `priority`, the highest first and those without one last.
 *
 * @category ordering
 * @since 0.1.0
 */
export const byPriority: Order.Order<AnyEvent> = Order.mapInput(Order.number, (event: AnyEvent) =>
  Option.getOrElse(priority(event), () => Number.POSITIVE_INFINITY),
)

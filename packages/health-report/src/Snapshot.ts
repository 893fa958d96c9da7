/** The events of a report at one time. */
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"

/**
 * The events of lists that were read at `now`, without duplicates. Times are milliseconds since 1970.
 * @category models @since 0.2.0
 */
export interface Snapshot {
  /** The subscriptions, the resource or the tenant, for a heading. */
  readonly source: string
  readonly events: ReadonlyArray<AnyEvent>
  /** The number of entries of the lists that are not valid events. A report never says that all is well without this number. */
  readonly invalid: number
  /** The start time of the lists. */
  readonly from: number
  readonly now: number
}

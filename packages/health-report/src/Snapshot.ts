/** The events of a report at one time. */
import type { AvailabilityStatus } from "@vigil/health-schema/AvailabilityStatus"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import type { Metadata } from "@vigil/health-schema/Metadata"
import type * as Assessment from "@vigil/health-verdict/Assessment"
import type { Gap } from "@vigil/health-verdict/Coverage"
import type { FailedList, Reading } from "@vigil/health-verdict/Evidence"

/** What was read of the resources of subscriptions. @category models @since 0.2.0 */
export interface Resources {
  /** The names of the subscriptions whose lists were read; empty if none was. */
  readonly source: string
  /** The current status of each of their resources, once. */
  readonly statuses: ReadonlyArray<AvailabilityStatus>
  /** The number of entries that are not valid statuses. */
  readonly invalid: number
  /** The lists that could not be read. */
  readonly failed: ReadonlyArray<FailedList>
  /** The impacted resources of active events, by `HealthEvent.trackingKey`. Default: none were read. */
  readonly impacted?: ReadonlyMap<string, Reading<ImpactedResource>> | undefined
  /** Says which types of resources belong to a service. Default: not all of it was read, and every service may concern a resource. */
  readonly metadata?: ReadonlyArray<Metadata> | undefined
}

/** A subscription whose list was read. @category models @since 0.3.0 */
export interface Subscription extends Assessment.Subscription {
  /** Its name, if it is known. */
  readonly name: string | undefined
}

/**
 * The events of lists that were read at `now`, without duplicates. Times are milliseconds since 1970.
 * @category models @since 0.2.0
 */
export interface Snapshot {
  /** The subscriptions, the resource or the tenant, for a heading. */
  readonly source: string
  /** The subscriptions whose lists were read. With several, a report says whose each event and resource is. Default: none. */
  readonly subscriptions?: ReadonlyArray<Subscription> | undefined
  /** The events of the tenant, which no subscription has. Default: they were not read. */
  readonly tenant?: Assessment.Lists["tenant"]
  /** The emerging issues, and the events that `EmergingEvents` makes of them. Default: they were not read. */
  readonly everyone?: (Pick<Snapshot, "events"> & NonNullable<Assessment.Lists["everyone"]>) | undefined
  readonly events: ReadonlyArray<AnyEvent>
  /** The number of entries of the lists that are not valid events. A report never says that all is well without this number. */
  readonly invalid: number
  /** The lists that could not be read. A report names them, and does not say that all is well. */
  readonly failed: ReadonlyArray<FailedList>
  /** The lists beside those of subscriptions that were not read, and did not fail: they may not be read, or were left out on request. Each claim says so. Default: none. */
  readonly gaps?: ReadonlyArray<Gap> | undefined
  /** Whether `events` has only those that filters select. A report then says so, instead of that no issue is active. Default: false. */
  readonly isFiltered?: boolean | undefined
  /** What was read of resources. Default: nothing, and a report does not mention them. */
  readonly resources?: Resources | undefined
  /** The start time of the lists: events that were last updated before it are missing. */
  readonly from: number
  readonly now: number
}

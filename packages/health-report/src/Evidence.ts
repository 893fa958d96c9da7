/** What was read about a resource, and the facts in it about its state. */
import type { AvailabilityStatus } from "@vigil/health-schema/AvailabilityStatus"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import type { Metadata } from "@vigil/health-schema/Metadata"

/** What was read of a list. @category models @since 0.2.0 */
export interface Reading<A> {
  readonly items: ReadonlyArray<A>
  /** How many entries are invalid. */
  readonly invalid: number
  /** Why the list is not complete. */
  readonly problem?: string | undefined
}

/** What is read of a resource first. Times are in milliseconds since 1970. @category models @since 0.2.0 */
export interface Known {
  readonly resource: string
  readonly now: number
  /** Events without an update since then are not listed. */
  readonly from: number
  readonly current: Reading<AvailabilityStatus>
  readonly history: Reading<AvailabilityStatus>
  /** The events of the resource's own list. */
  readonly ownEvents: Reading<AnyEvent>
  /** The events of its subscription. */
  readonly subscriptionEvents: Reading<AnyEvent>
}

/** All that was read. @category models @since 0.2.0 */
export interface Readings extends Known {
  /** The impacted resources of each event of `Explanation.toCompare`, by `HealthEvent.trackingKey`. */
  readonly impacted: ReadonlyMap<string, Reading<ImpactedResource>>
  /** Says which types of resources belong to a service. Without such events, it may be empty. */
  readonly metadata: Reading<Metadata>
}

/** Where evidence comes from. @category models @since 0.2.0 */
export type Source =
  | "current status"
  | "history"
  | "events of the resource"
  | "events of the subscription"
  | "impacted resources"
  | "metadata"

/** One fact. Times are in milliseconds since 1970. @category models @since 0.2.0 */
export interface Evidence {
  /** `notice`: an advisory, a review or billing, which explains nothing by itself. */
  readonly cause: "platform" | "maintenance" | "customer" | "notice"
  /**
   * `resource`: it names the resource. `service`: it names the service and the region, and no resources. `uncertain`: it may concern the resource.
   * `other`: it concerns other resources or services in the region.
   */
  readonly about: "resource" | "service" | "uncertain" | "other"
  /** When it impacts the resource. An unknown time is `undefined`. */
  readonly phase: "now" | "ended" | "upcoming"
  readonly since: number | undefined
  readonly until: number | undefined
  readonly title: string
  readonly trackingId: string | undefined
  readonly sources: ReadonlyArray<Source>
  /** When the service last confirmed it. */
  readonly updated: number | undefined
}

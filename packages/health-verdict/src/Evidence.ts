/** What was read about a resource, and the facts in it about its state. */
import type { AvailabilityStatus } from "@vigil/health-schema/AvailabilityStatus"
import type { EmergingIssue } from "@vigil/health-schema/EmergingIssue"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import type { Metadata } from "@vigil/health-schema/Metadata"

/** What was not read of a list. @category models @since 0.3.0 */
export interface Gap {
  /** How many entries are invalid. */
  readonly invalid: number
  /** Why the list is not complete. */
  readonly problem?: string | undefined
}

/** What was read of a list. @category models @since 0.2.0 */
export interface Reading<A> extends Gap {
  readonly items: ReadonlyArray<A>
}

/** A list without entries that was read. @category constants @since 0.3.0 */
export const empty: Reading<never> = { items: [], invalid: 0 }

/** What is read of a resource first. Times are in milliseconds since 1970. @category models @since 0.2.0 */
export interface Known {
  readonly resource: string
  readonly now: number
  /** Events without an update since then are not listed. */
  readonly from: number
  readonly current: Reading<AvailabilityStatus>
  readonly history: Reading<AvailabilityStatus>
  /** The current status of each resource in it. */
  readonly children: Reading<AvailabilityStatus>
  /** The events of the resource's own list. */
  readonly ownEvents: Reading<AnyEvent>
  /** The events of its subscription. */
  readonly subscriptionEvents: Reading<AnyEvent>
  /** The events of the tenant; `undefined` if they are left out. */
  readonly tenantEvents: Reading<AnyEvent> | undefined
  /** What the service announces to everyone. */
  readonly emergingIssues: Reading<EmergingIssue>
  /** Of the lists in which the name of the resource was searched: another resource may have it. Nothing for an ID. */
  readonly sameName: Gap
}

/** All that was read. @category models @since 0.2.0 */
export interface Readings extends Known {
  /** The impacted resources of each event of `Explanation.toCompare`, by `HealthEvent.trackingKey`. */
  readonly impacted: ReadonlyMap<string, Reading<ImpactedResource>>
  /** Says which types of resources belong to a service. Without `Explanation.needsMetadata`, it may be empty. */
  readonly metadata: Reading<Metadata>
}

/** Where evidence comes from. @category models @since 0.2.0 */
export type Source =
  | "current status"
  | "history"
  | "resources in it"
  | "events of the resource"
  | "events of the subscription"
  | "events of the tenant"
  | "impacted resources"
  | "emerging issues"
  | "metadata"
  | "resources with this name"

/** A list that could not be read, for people. @category models @since 0.2.0 */
export interface FailedList {
  /** The subscription, the resource or the tenant, such as `Subscription Production (00000000-…)`. */
  readonly source: string
  /** The reason, in one line. */
  readonly problem: string
  /**
   * When the list was last complete, in milliseconds since 1970: its entries of that time are known. `undefined`: they are missing, or some
   * of them.
   */
  readonly readAt: number | undefined
}

/** Something that was not read, and why. @category models @since 0.2.0 */
export interface Unread {
  readonly source: Source
  readonly problem: string
  /** How many entries are invalid, if the list could be read. */
  readonly invalid?: number | undefined
}

/** One fact. Times are in milliseconds since 1970. @category models @since 0.2.0 */
export interface Evidence {
  /** `notice`: an advisory, a review or billing, which explains nothing by itself. */
  readonly cause: "platform" | "maintenance" | "customer" | "notice"
  /**
   * What it is about. Confirmed: `resource` names the resource, `parent` what contains it, and `part` what is in it.
   * Potential: `service` names its service and region, and no resources; `peers` names other resources of these; `region` may concern it, since
   * its service, its region or both are unknown, or since other services depend on it. `other`: other resources, services or regions.
   */
  readonly subject: "resource" | "parent" | "part" | "service" | "peers" | "region" | "other"
  /**
   * When it impacts the resource. `stale`: it was said too long ago, or with a time to come, and says nothing certain about now.
   */
  readonly phase: "now" | "ended" | "upcoming" | "stale"
  /** An unknown time is `undefined`. */
  readonly since: number | undefined
  readonly until: number | undefined
  readonly title: string
  readonly trackingId: string | undefined
  readonly sources: ReadonlyArray<Source>
  /** When the service last confirmed it. */
  readonly updated: number | undefined
  /** The services and regions that it names. */
  readonly services: ReadonlyArray<string>
  readonly regions: ReadonlyArray<string>
  /** How many resources it lists; `undefined` if that is not known. */
  readonly impactedResources: number | undefined
}

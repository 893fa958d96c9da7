/** The data of the health events API. */
import type * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"

/** The version whose fields the events of a world have. */
export const versionOfWorld = "2025-05-01"

export type WireEvent = HealthEvent.Encoded<typeof versionOfWorld>

export type WireStatus = (typeof AvailabilityStatus.AvailabilityStatus)["Encoded"]

/** The properties of a status, as responses contain them. @category models @since 0.2.0 */
export type StatusProperties = NonNullable<WireStatus["properties"]>

/** A subscription of the world. `id` is a UUID. @category models @since 0.1.0 */
export interface Subscription {
  readonly id: string
  readonly name: string
}

/**
 * A resource of the world, in one service and one region of a subscription (by ID). `parent` is the URI of the resource that it is a part of.
 * @category models @since 0.1.0
 */
export interface Resource {
  readonly uri: string
  readonly parent?: string | undefined
  readonly subscription: string
  readonly service: string
  readonly region: string
}

/**
 * An event with its texts, the IDs of its subscriptions and the URIs of its resources. Without subscriptions, it is one of the tenant, which no subscription
 * has. `lastUpdate` is in milliseconds since 1970.
 * @category models @since 0.1.0
 */
export interface WorldEvent {
  readonly event: WireEvent
  readonly lastUpdate: number
  readonly subscriptions: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
}

/** A status of the resource with this URI. @category models @since 0.2.0 */
export interface WorldStatus {
  readonly resource: string
  readonly properties: StatusProperties
}

/** A service group, with the IDs of its direct members: subscriptions, resource groups and resources. @category models @since 0.4.0 */
export interface ServiceGroup {
  readonly name: string
  readonly members: ReadonlyArray<string>
}

/** The data of the API. `now` is in milliseconds since 1970. @category models @since 0.1.0 */
export interface World {
  readonly now: number
  readonly vendor: string
  readonly subscriptions: readonly [Subscription, Subscription, ...ReadonlyArray<Subscription>]
  /** Without child resources, which follow from these. */
  readonly resources: ReadonlyArray<Resource>
  readonly serviceGroups: ReadonlyArray<ServiceGroup>
  /** Newest first. An event that subscriptions and the tenant have is two entries, each with its own resources. */
  readonly events: ReadonlyArray<WorldEvent>
  /** What the service announces to everyone, newest first. No other list has it. */
  readonly emergingIssues: ReadonlyArray<WorldEvent>
  /** Newest first. They replace those that follow from the events. */
  readonly statuses: ReadonlyArray<WorldStatus>
}

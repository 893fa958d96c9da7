/** The data of the health events API. */
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"

export type WireEvent = HealthEvent.Encoded

/** A subscription of the world. `id` is a UUID. @category models @since 0.1.0 */
export interface Subscription {
  readonly id: string
  readonly name: string
}

/** A resource of the world, in one service and one region of a subscription (by ID). @category models @since 0.1.0 */
export interface Resource {
  readonly uri: string
  readonly subscription: string
  readonly service: string
  readonly region: string
}

/**
 * An event with its texts, the IDs of its subscriptions and the URIs of its resources. `lastUpdate` is in milliseconds since 1970.
 * @category models @since 0.1.0
 */
export interface WorldEvent {
  readonly event: WireEvent
  readonly lastUpdate: number
  readonly subscriptions: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
}

/** The data of the API. `now` is in milliseconds since 1970. @category models @since 0.1.0 */
export interface World {
  readonly now: number
  readonly vendor: string
  readonly subscriptions: readonly [Subscription, Subscription, ...ReadonlyArray<Subscription>]
  readonly resources: ReadonlyArray<Resource>
  /** Newest first, each event once. */
  readonly events: ReadonlyArray<WorldEvent>
}

/** The text that lists withhold of sensitive events, and how it is asked for. */
import type { RequestError } from "@vigil/core-http/RequestError"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Effect from "effect/Effect"
import { join } from "@vigil/core-http/PathSegment"
import type { Newest, Of } from "./Listing.js"
import type { SubscriptionId } from "./SubscriptionId.js"
import type { TrackingId } from "./TrackingId.js"

/**
 * Whose details are asked for.
 *
 * @category models
 * @since 0.1.0
 */
export interface Target {
  /** The subscription that the event concerns. */
  readonly subscription: SubscriptionId
  /** The event. */
  readonly trackingId: TrackingId
  /** The vendor part of `<vendor>.ResourceHealth`. */
  readonly vendor: string
}

/**
 * Where they are asked for: `/subscriptions/{id}/providers/<vendor>.ResourceHealth/events/{trackingId}/fetchEventDetails`.
 * **An assumption**: the document shows `events/{trackingId}/fetchEventDetails` only ("Referenced operation"); what stands before
 * it was seen at public services (field notes, "Operations around the two lists"). `Options.detailsPath` replaces it.
 *
 * @category getters
 * @since 0.1.0
 */
export const path = ({ subscription, trackingId, vendor }: Target): string =>
  join([
    "subscriptions",
    subscription,
    "providers",
    `${vendor}.ResourceHealth`,
    "events",
    trackingId,
    "fetchEventDetails",
  ])

/**
 * Fetches one event with nothing withheld: a POST without a body, answered with the event (both field notes). It needs a
 * right of its own, so that `Forbidden` is common. An answer that is no event, or another one, is a `DecodeError`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Fetch {
  (
    subscription: SubscriptionId,
    trackingId: TrackingId,
    options?: Newest<object>,
  ): Effect.Effect<HealthEvent.HealthEvent, RequestError>
  <V extends ApiVersion.ApiVersion>(
    subscription: SubscriptionId,
    trackingId: TrackingId,
    options: Of<V, object>,
  ): Effect.Effect<HealthEvent.HealthEvent<V>, RequestError>
}

/** Where the client requests the details of an event. */
import { join } from "@vigil/core-http/PathSegment"
import type { SubscriptionId } from "./SubscriptionId.js"
import type { TrackingId } from "./TrackingId.js"

/**
 * The event whose details are requested.
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
 * Returns the default path of details:
 * `/subscriptions/{id}/providers/<vendor>.ResourceHealth/events/{trackingId}/fetchEventDetails`.
 * **An assumption**: the document shows only `events/{trackingId}/fetchEventDetails` ("Referenced operation"); the part before
 * it was seen at public services (field notes, "Operations around the two lists"). `Options.detailsPath` replaces it.
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

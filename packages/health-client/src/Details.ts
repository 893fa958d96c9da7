/** The path of the event details operation. */
import { join } from "@vigil/core-http/PathSegment"
import type { SubscriptionId } from "./SubscriptionId.js"
import type { TrackingId } from "./TrackingId.js"

/** The event whose details are requested. @category models @since 0.1.0 */
export interface Target {
  readonly subscription: SubscriptionId
  readonly trackingId: TrackingId
  /** The vendor part of `<vendor>.ResourceHealth`. */
  readonly vendor: string
}

/**
 * Returns the default path of event details: that of `Event_fetchDetailsBySubscriptionIdAndTrackingId` in the public contract. The document
 * shows only its end, `events/{trackingId}/fetchEventDetails`.
 * @category getters @since 0.1.0
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

/** The resource of a list, and the tracking ID of an event. */
import * as ResourceUri from "@vigil/health-client/ResourceUri"
import * as TrackingId from "@vigil/health-client/TrackingId"
import * as Schema from "effect/Schema"
import * as Flag from "../../flags/Flag.js"

export const resource = Flag.optional(
  Flag.parsed(
    "id",
    "a full resource ID, such as /subscriptions/…/providers/…",
    Schema.decodeOption(ResourceUri.ResourceUri),
  ),
  "Resource ID, instead of a subscription",
  "r",
)

export const trackingId: Flag.Argument<TrackingId.TrackingId> = {
  ...Flag.parsed("id", "an ID such as AB12-CD3 from vigil events list", Schema.decodeOption(TrackingId.TrackingId)),
  description: "Tracking ID of the event",
}

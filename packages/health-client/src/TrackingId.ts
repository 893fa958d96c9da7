/** Tracking IDs of events. */
import * as Schema from "effect/Schema"
import { isSegment } from "@vigil/core-http/PathSegment"

/** Identifies an event across subscriptions, and is its `name`. It has the rules of `SubscriptionId`. @category schemas @since 0.1.0 */
export const TrackingId = Schema.String.pipe(
  Schema.check(Schema.makeFilter(isSegment)),
  Schema.annotate({ identifier: "TrackingId" }),
  Schema.brand("@vigil/health-client/TrackingId"),
)

/** @category models @since 0.1.0 */
export type TrackingId = typeof TrackingId.Type

/** Creates a tracking ID. Throws `SchemaError`: decode untrusted text with `TrackingId`. @category constructors @since 0.1.0 */
export const make: (text: string) => TrackingId = /* @__PURE__ */ Schema.decodeSync(TrackingId)

/** Subscription IDs. */
import * as Schema from "effect/Schema"
import { isSegment } from "@vigil/core-http/PathSegment"

/**
 * A subscription ID (document, "Endpoints"): a non-empty path segment without `/`, `\`, `?`, `#`, `%` and control characters, and not `.`
 * or `..`.
 * @category schemas @since 0.1.0
 */
export const SubscriptionId = Schema.String.pipe(
  Schema.filter(isSegment),
  Schema.brand("@vigil/health-client/SubscriptionId", { identifier: "SubscriptionId" }),
)

/** @category models @since 0.1.0 */
export type SubscriptionId = typeof SubscriptionId.Type

/** Creates a subscription ID. Throws `ParseError`: decode untrusted text with `SubscriptionId`. @category constructors @since 0.1.0 */
export const make = (text: string): SubscriptionId => SubscriptionId.make(text)

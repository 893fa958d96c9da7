/** Subscription IDs. */
import { isSegment } from "@vigil/core-http/PathSegment"
import * as Schema from "effect/Schema"

/**
 * A subscription ID: a non-empty path segment without `/`, `\`, `?`, `#`, `%` and control characters, and not `.`
 * or `..`.
 * @category schemas @since 0.1.0
 */
export const SubscriptionId = Schema.String.pipe(
  Schema.check(Schema.makeFilter(isSegment)),
  Schema.annotate({ identifier: "SubscriptionId" }),
  Schema.brand("@vigil/health-client/SubscriptionId"),
)

/** @category models @since 0.1.0 */
export type SubscriptionId = typeof SubscriptionId.Type

/** Creates a subscription ID. Throws `SchemaError`: decode untrusted text with `SubscriptionId`. @category constructors @since 0.1.0 */
export const make: (text: string) => SubscriptionId = /* @__PURE__ */ Schema.decodeSync(SubscriptionId)

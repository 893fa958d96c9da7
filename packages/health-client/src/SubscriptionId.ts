/** The identifier of a subscription. */
import * as Schema from "effect/Schema"
import { isSegment } from "@vigil/core-http/PathSegment"

/**
 * A subscription's identifier: at least one character (document, "Endpoints"). What would change the path that it becomes
 * part of is refused: `/`, `\`, `?`, `#`, `%`, control characters, and `.` or `..` alone.
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionId = Schema.String.pipe(
  Schema.filter(isSegment),
  Schema.brand("@vigil/health-client/SubscriptionId", { identifier: "SubscriptionId" }),
)

/**
 * @category models
 * @since 0.1.0
 */
export type SubscriptionId = typeof SubscriptionId.Type

/**
 * Makes an identifier of a text that is known to be one; throws a `ParseError` on any other. Decode with
 * `SubscriptionId` what comes from outside.
 * @category constructors
 * @since 0.1.0
 */
export const make = (text: string): SubscriptionId => SubscriptionId.make(text)

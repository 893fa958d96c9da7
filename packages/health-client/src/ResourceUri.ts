/** Resource IDs. */
import * as Schema from "effect/Schema"
import { isSegment } from "@vigil/core-http/PathSegment"

const split = (text: string): ReadonlyArray<string> => text.replace(/^\//, "").split("/")

/**
 * A fully qualified resource ID, such as `/subscriptions/s1/resourceGroups/shop/providers/Vendor.Compute/virtualMachines/web-1` (document,
 * "Endpoints"). The leading slash is optional. Its segments have the rules of `SubscriptionId`.
 * @category schemas @since 0.1.0
 */
export const ResourceUri = Schema.String.pipe(
  Schema.filter((text) => split(text).every(isSegment)),
  Schema.brand("@vigil/health-client/ResourceUri", { identifier: "ResourceUri" }),
)

/** @category models @since 0.1.0 */
export type ResourceUri = typeof ResourceUri.Type

/** Creates a resource ID. Throws `ParseError`: decode untrusted text with `ResourceUri`. @category constructors @since 0.1.0 */
export const make = (text: string): ResourceUri => ResourceUri.make(text)

/** Returns the segments of the ID, in order. @category getters @since 0.1.0 */
export const segments = (uri: ResourceUri): ReadonlyArray<string> => split(uri)

/** Resource IDs. */
import { isSegment } from "@vigil/core-http/PathSegment"
import * as Schema from "effect/Schema"

const split = (text: string): ReadonlyArray<string> => text.replace(/^\//, "").split("/")

/**
 * A fully qualified resource ID, such as `/subscriptions/s1/resourceGroups/shop/providers/Vendor.Compute/virtualMachines/web-1`. The
 * leading slash is optional. Its segments have the rules of `SubscriptionId`.
 * @category schemas @since 0.1.0
 */
export const ResourceUri = /* @__PURE__ */ Schema.String.pipe(
  /* @__PURE__ */ Schema.check(/* @__PURE__ */ Schema.makeFilter((text) => split(text).every(isSegment))),
  /* @__PURE__ */ Schema.annotate({ identifier: "ResourceUri" }),
  /* @__PURE__ */ Schema.brand("@vigil/health-client/ResourceUri"),
)

/** @category models @since 0.1.0 */
export type ResourceUri = typeof ResourceUri.Type

/** Creates a resource ID. Throws `SchemaError`: decode untrusted text with `ResourceUri`. @category constructors @since 0.1.0 */
export const make: (text: string) => ResourceUri = /* @__PURE__ */ Schema.decodeSync(ResourceUri)

/** Returns the segments of the ID, in order. @category getters @since 0.1.0 */
export const segments = (uri: ResourceUri): ReadonlyArray<string> => split(uri)

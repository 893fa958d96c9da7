/** Names of resource groups. */
import { isSegment } from "@vigil/core-http/PathSegment"
import * as Schema from "effect/Schema"

/** The name of a resource group. It has the rules of `SubscriptionId`. @category schemas @since 0.2.0 */
export const ResourceGroup = /* @__PURE__ */ Schema.String.pipe(
  /* @__PURE__ */ Schema.check(/* @__PURE__ */ Schema.makeFilter(isSegment)),
  /* @__PURE__ */ Schema.annotate({ identifier: "ResourceGroup" }),
  /* @__PURE__ */ Schema.brand("@vigil/health-client/ResourceGroup"),
)

/** @category models @since 0.2.0 */
export type ResourceGroup = typeof ResourceGroup.Type

/** Creates a name. Throws `SchemaError`: decode untrusted text with `ResourceGroup`. @category constructors @since 0.2.0 */
export const make: (text: string) => ResourceGroup = /* @__PURE__ */ Schema.decodeSync(ResourceGroup)

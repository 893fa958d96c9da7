/** The identifier of a resource. */
import * as Schema from "effect/Schema"
import { isSegment } from "@vigil/core-http/PathSegment"

/** The segments of an identifier, without the slash that it may begin with. */
const split = (text: string): ReadonlyArray<string> => text.replace(/^\//, "").split("/")

/**
 * A fully qualified resource identifier (document, "Endpoints"), with or without the slash at its start, such as
 * `/subscriptions/s1/resourceGroups/shop/providers/Vendor.Compute/virtualMachines/web-1`. A segment that is empty or
 * would change the path is refused, as in a `SubscriptionId`.
 * @category schemas
 * @since 0.1.0
 */
export const ResourceUri = Schema.String.pipe(
  Schema.filter((text) => split(text).every(isSegment)),
  Schema.brand("@vigil/health-client/ResourceUri", { identifier: "ResourceUri" }),
)

/**
 * @category models
 * @since 0.1.0
 */
export type ResourceUri = typeof ResourceUri.Type

/**
 * Makes an identifier of a text that is known to be one; throws a `ParseError` on any other. Decode with `ResourceUri`
 * what comes from outside.
 * @category constructors
 * @since 0.1.0
 */
export const make = (text: string): ResourceUri => ResourceUri.make(text)

/**
 * The segments of the identifier, in order.
 * @category getters
 * @since 0.1.0
 */
export const segments = (uri: ResourceUri): ReadonlyArray<string> => split(uri)

/** Any JSON. */
import * as Schema from "effect/Schema"

/** Any JSON value. @category models @since 0.1.0 */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** Accepts any parsed JSON without checking it, at any depth. @category schemas @since 0.1.0 */
export const Json = Schema.make<Schema.Codec<Json>>(Schema.Unknown.ast)

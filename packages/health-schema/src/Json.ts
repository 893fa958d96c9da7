/** Any JSON: what services send where the document promises no shape. */
import * as Schema from "effect/Schema"

/**
 * Any JSON value.
 * @category models
 * @since 0.1.0
 */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/**
 * Accepts every value of parsed JSON, however deeply nested, without looking into it.
 * @category schemas
 * @since 0.1.0
 */
export const Json = Schema.make<Json>(
  Schema.Unknown.annotations({
    // Effect gives every `unknown` the same `$id`, which strict tools refuse. Only an annotation with a type replaces it.
    // Some linters require `items` of an array.
    jsonSchema: {
      description: "Any JSON",
      type: ["object", "array", "string", "number", "boolean", "null"],
      items: {},
    },
    arbitrary: () => (fc) => fc.jsonValue({ maxDepth: 2 }),
  }).ast,
)

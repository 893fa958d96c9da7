/** How records of this API are described: nothing is required, and nothing that was sent is lost. */
import * as Schema from "effect/Schema"

/** A field that may be absent, or `null`, which is the same. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

/** Fields that are not listed are kept. */
export const preserve = { onExcessProperty: "preserve" } as const

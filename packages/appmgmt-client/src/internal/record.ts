/** Schemas of records: all fields are optional, and unknown fields are kept. */
import * as Decoder from "@vigil/core-http/Decoder"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const optional = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

export const preserve = { onExcessProperty: "preserve" } as const

/** Checks parsed JSON, and returns it unchanged. */
export const decoder = <A, I>(schema: Schema.Schema<A, I>): Decoder.Decoder<A> => {
  const check = Decoder.fromSchema(schema)
  return (json) => Effect.as(check(json), json as A)
}

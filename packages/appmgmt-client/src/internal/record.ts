/** Schemas of records: all fields are optional, and unknown fields are kept. */
import * as Decoder from "@vigil/core-http/Decoder"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const optional = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Checks parsed JSON, and returns it unchanged. */
export const decoder = <A, I>(schema: Schema.Codec<A, I>): Decoder.Decoder<A> => {
  const check = Decoder.fromSchema(schema)
  return (json) => Effect.as(check(json), json as A)
}

/** The three shapes that every record of the document is made of: tolerant, and lossless on the way through. */
import * as Schema from "effect/Schema"

/** A field that may be absent or `null`; both mean the same. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

/** A record that keeps the fields it does not know. */
export const record = <Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  Schema.Struct(fields).annotations({
    identifier,
    parseOptions: { onExcessProperty: "preserve", propertyOrder: "original" },
  })

/** A list of `schema`. */
export const list = <A, I>(schema: Schema.Schema<A, I>) => Schema.Array(schema)

/** A whole number in a range, both ends included. */
export const integer = (min: number, max: number) =>
  Schema.Int.pipe(Schema.between(min, max, { identifier: `a whole number from ${min} to ${max}` }))

/** The document's `int32`. */
export const int32 = integer(-2_147_483_648, 2_147_483_647)

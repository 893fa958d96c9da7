/** The three shapes that every record of the document is made of: tolerant, and lossless on the way through. */
import * as Schema from "effect/Schema"
import type * as ApiVersion from "../ApiVersion.js"

/** A field that may be absent or `null`; both mean the same. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

/**
 * A record that keeps the fields it does not know. One that differs between versions has the version in its identifier,
 * so that a document can hold both; people are told its name alone.
 */
export const record = <Fields extends Schema.Struct.Fields>(
  name: string,
  fields: Fields,
  version?: ApiVersion.ApiVersion,
) =>
  Schema.Struct(fields).annotations({
    identifier: version === undefined ? name : `${name}-${version}`,
    title: name,
    parseOptions: { onExcessProperty: "preserve", propertyOrder: "original" },
  })

/** A list of `schema`. */
export const list = <A, I>(schema: Schema.Schema<A, I>) => Schema.Array(schema)

/** A whole number in a range, both ends included. */
export const integer = (min: number, max: number) =>
  Schema.Number.pipe(
    Schema.filter((value) => Number.isInteger(value) && value >= min && value <= max, {
      title: `a whole number from ${min} to ${max}`,
      jsonSchema: { type: "integer", minimum: min, maximum: max },
      arbitrary: () => (fc) => fc.integer({ min, max }),
    }),
  )

/** The document's `double`: a number that JSON can say. */
export const finite = Schema.Number.pipe(
  Schema.filter((value) => Number.isFinite(value), {
    title: "a finite number",
    jsonSchema: { type: "number" },
    arbitrary: () => (fc) => fc.double({ noDefaultInfinity: true, noNaN: true }),
  }),
)

/** The document's `int32`. */
export const int32 = integer(-2_147_483_648, 2_147_483_647)

/** A map from names to whatever JSON was sent. */
export const map = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  title: "a map from names to JSON",
  // Effect gives every `unknown` the same `$id`, which strict tools refuse.
  jsonSchema: { type: "object", additionalProperties: true },
})

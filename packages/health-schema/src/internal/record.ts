/** The three shapes that every record of the document is made of: tolerant, and lossless on the way through. */
import * as Schema from "effect/Schema"

/** A field that may be absent or `null`; both mean the same. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

/**
 * A record that keeps the fields it does not know. One that differs between versions or vendors has its variant in its identifier,
 * so that a document can hold both; its title is the name alone.
 */
export const record = <Fields extends Schema.Struct.Fields>(name: string, fields: Fields, variant?: string) =>
  Schema.Struct(fields).annotations({
    identifier: variant === undefined ? name : `${name}-${variant}`,
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

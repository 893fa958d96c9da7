/** Building blocks of the schemas: tolerate missing values and keep unknown fields. */
import * as Schema from "effect/Schema"

/** Defines a field that may be absent or `null`. */
export const optional = <S extends Schema.Schema.Any>(schema: S) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

/** A text that may be absent or `null`. */
export const text = optional(Schema.String)

/** Defines a record that keeps unknown fields. The variant distinguishes versions and vendors in one JSON Schema document. */
export const record = <Fields extends Schema.Struct.Fields>(name: string, fields: Fields, variant?: string) =>
  Schema.Struct(fields).annotations({
    identifier: variant === undefined ? name : `${name}-${variant}`,
    title: name,
    parseOptions: { onExcessProperty: "preserve", propertyOrder: "original" },
  })

export const integer = (min: number, max: number) =>
  Schema.Number.pipe(
    Schema.filter((value) => Number.isInteger(value) && value >= min && value <= max, {
      title: `a whole number from ${min} to ${max}`,
      jsonSchema: { type: "integer", minimum: min, maximum: max },
      arbitrary: () => (fc) => fc.integer({ min, max }),
    }),
  )

export const int32 = integer(-2_147_483_648, 2_147_483_647)

export const finite = Schema.Number.pipe(
  Schema.filter((value) => Number.isFinite(value), {
    title: "a finite number",
    jsonSchema: { type: "number" },
    arbitrary: () => (fc) => fc.double({ noDefaultInfinity: true, noNaN: true }),
  }),
)

/** Building blocks of the schemas: tolerate missing values and keep unknown fields. */
import * as Schema from "effect/Schema"

/** Defines a field that may be absent or `null`. */
export const optional = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** A text that may be absent or `null`. */
export const text = optional(Schema.String)

/** Defines a record that keeps unknown fields. The variant distinguishes versions and vendors in one JSON Schema document. */
export const record = <Fields extends Schema.Struct.Fields>(
  name: string,
  fields: Fields,
  variant?: string,
): Schema.Codec<Schema.Struct.Type<Fields>, Schema.Struct.Encoded<Fields>> =>
  // The rest keeps unknown fields. The type does not have it, because every misspelled name would be a valid field.
  Schema.make(
    Schema.StructWithRest(Schema.Struct(fields), [Schema.Record(Schema.String, Schema.Unknown)]).annotate({
      identifier: variant === undefined ? name : `${name}-${variant}`,
      title: name,
    }).ast,
  )

/** On `Schema.Finite`, because `Schema.Number` describes itself in JSON Schema as a number or `"Infinity"`. */
export const integer = (minimum: number, maximum: number) =>
  Schema.Finite.check(
    Schema.makeFilter((value) => Number.isInteger(value) && value >= minimum && value <= maximum, {
      expected: `a whole number from ${minimum} to ${maximum}`,
      toJsonSchema: () => ({ type: "integer", minimum, maximum }),
    }),
  )

export const int32 = integer(-2_147_483_648, 2_147_483_647)

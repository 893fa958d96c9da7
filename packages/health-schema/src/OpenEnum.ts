/** Enumerations that stay open: the document's values are known, and any other text passes as it is. */
import type * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"

/**
 * A known value, for completion and matching, or any other text.
 *
 * @category models
 * @since 0.1.0
 */
export type OpenEnum<Known extends string> = Known | (string & {})

/**
 * An open enumeration: a schema of text that carries its known values.
 *
 * @category models
 * @since 0.1.0
 */
export interface Enumeration<Known extends string> extends Schema.Schema<OpenEnum<Known>, string> {
  /** The known values, in the order in which they were given. */
  readonly known: ReadonlyArray<Known>
}

/**
 * Makes an open enumeration of the `known` values. The values are documentation and completion: at run time every
 * text is accepted and kept in its own spelling.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <const Known extends ReadonlyArray<string>>(
  identifier: string,
  ...known: Known
): Enumeration<Known[number]> => {
  const text: Schema.Schema<OpenEnum<Known[number]>, string> = Schema.String
  const values: Arbitrary.LazyArbitrary<OpenEnum<Known[number]>> = (fc) =>
    fc.oneof(fc.constantFrom(...known), fc.constantFrom(...known.map((value) => value.toUpperCase())), fc.string())
  const annotated = text.annotations({
    identifier,
    title: "text",
    jsonSchema: { type: "string", description: `One of ${known.join(", ")}, or another text`, examples: known },
    arbitrary: () => values,
  })
  return Object.assign(annotated, { known })
}

/**
 * The known values in the type of an open value.
 *
 * @category models
 * @since 0.1.0
 */
export type KnownOf<Value> = Value extends string ? (string extends Value ? never : Value) : never

/**
 * Whether `value` is one of the known ones, in the document's own spelling; narrows to them. A value of an enumeration is
 * asked for with that enumeration, or with one that has all of its values.
 *
 * @category matching
 * @since 0.1.0
 */
export const isKnown = <Known extends string, Value extends string>(
  enumeration: [KnownOf<Value>] extends [Known] ? Enumeration<Known> : never,
  value: Value | null | undefined,
): value is Value & ([KnownOf<Value>] extends [never] ? Known : Known & KnownOf<Value>) =>
  (enumeration as Enumeration<Known>).known.some((candidate: string) => candidate === value)

/**
 * The known value that `value` stands for, without regard to case, as services are seen to answer `serviceissue` for
 * `ServiceIssue` (field notes, "Payload oddities"); `undefined` for any other text.
 *
 * @category matching
 * @since 0.1.0
 */
export const known = <Known extends string>(
  enumeration: Enumeration<Known>,
  value: string | null | undefined,
): Known | undefined => {
  if (value === null || value === undefined) return undefined
  const lower = value.toLowerCase()
  return enumeration.known.find((candidate) => candidate.toLowerCase() === lower)
}

/**
 * Whether a value is the known one, without regard to case.
 *
 * @category matching
 * @since 0.1.0
 */
export const equals = <Value extends string>(value: Value | null | undefined, known: KnownOf<Value>): boolean =>
  value?.toLowerCase() === known.toLowerCase()

/** Open enumerations: known values, and any other text. */
import * as Schema from "effect/Schema"

/** A known value, or any other text. @category models @since 0.1.0 */
export type OpenEnum<Known extends string> = Known | (string & {})

/** A schema of text with known values. @category models @since 0.1.0 */
export interface Enumeration<Known extends string> extends Schema.Codec<OpenEnum<Known>, string> {
  /** The known values, in order. */
  readonly known: ReadonlyArray<Known>
}

/** Creates an open enumeration. It accepts every text and keeps its spelling. @category constructors @since 0.1.0 */
export const make = <const Known extends ReadonlyArray<string>>(
  identifier: string,
  ...known: Known
): Enumeration<Known[number]> => {
  const text = Schema.make<Schema.Codec<OpenEnum<Known[number]>, string>>(
    Schema.String.annotate({
      identifier,
      title: "text",
      description: `One of ${known.join(", ")}, or another text`,
      examples: known,
    }).ast,
  )
  return Object.assign(text, { known })
}

/** The known values of an open value's type. */
type KnownOf<Value> = Value extends string ? (string extends Value ? never : Value) : never

/** Finds the known value that equals a text, ignoring case: services send `serviceissue`. @category matching @since 0.1.0 */
export const find = <Known extends string>(
  enumeration: Enumeration<Known>,
  value: string | null | undefined,
): Known | undefined => enumeration.known.find((candidate) => candidate.toLowerCase() === value?.toLowerCase())

/** Returns whether a value equals a known one, ignoring case. @category matching @since 0.1.0 */
export const equals = <Value extends string>(value: Value | null | undefined, known: KnownOf<Value>): boolean =>
  value?.toLowerCase() === known.toLowerCase()

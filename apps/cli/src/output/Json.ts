/** JSON that is safe for a terminal. */
import * as Predicate from "effect/Predicate"

/** Characters that a terminal may interpret or hide, except those that JSON escapes anyway. */
const active = /(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|[\u007f-\u009f\u2028\u2029\ufff9-\ufffb]/gu

// oxlint-disable-next-line no-control-regex -- The expression finds control characters.
export const isActive = (text: string): boolean => /[\u0000-\u0008\u000b-\u001f]/.test(text) || text.search(active) >= 0

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0")

const units = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => `\\u${hex(character.charCodeAt(index), 4)}`).join("")

/** YAML: some readers do not accept surrogate pairs. */
export const inYaml = (character: string): string =>
  character.length > 1 ? `\\U${hex(character.codePointAt(0) ?? 0, 8)}` : units(character)

export const escape = (text: string, escapeOf = units): string =>
  text.replace(active, (character) => escapeOf(character))

/** Returns `undefined` if the value is nested too deeply: `JSON.stringify` and YAML are recursive. */
export const unlessDeep = <A>(print: () => A): A | undefined => {
  try {
    return print()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** One line of JSON; `undefined` if the value is nested too deeply. */
export const line = (value: unknown): string | undefined => unlessDeep(() => escape(JSON.stringify(value)))

/** A value as JSON within a text for people. */
export const text = (value: unknown): string => line(value) ?? "(nested too deeply to print)"

const plain = (value: unknown): string => (typeof value === "string" ? value : text(value))

/** The names and values of a map on one line; other values as themselves. */
export const pairs = (value: unknown, separator: string): string =>
  Predicate.isRecord(value)
    ? Object.entries(value)
        .map(([name, one]) => `${name}${separator}${plain(one)}`)
        .join(", ")
    : Predicate.isNullable(value)
      ? ""
      : plain(value)

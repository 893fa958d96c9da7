/** JSON that is safe for a terminal, and the formats `json` and `jsonl`. */
import type { Printer } from "./Printable.js"

/** Characters that a terminal may interpret or hide, except those that JSON escapes anyway. */
const active = /(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|[\u007f-\u009f\u2028\u2029\ufff9-\ufffb]/gu

const escape = (text: string): string =>
  text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Returns `undefined` if the value is nested too deeply: `JSON.stringify` is recursive. */
const unlessDeep = <A>(print: () => A): A | undefined => {
  try {
    return print()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** One line of JSON. Throws a `RangeError` if the value is nested too deeply. */
const stringify = (value: unknown): string => JSON.stringify(value).replace(active, escape)

/** One line of JSON; `undefined` if the value is nested too deeply. */
export const line = (value: unknown): string | undefined => unlessDeep(() => stringify(value))

/** A value as JSON within a text for people. */
export const text = (value: unknown): string => line(value) ?? "(nested too deeply to print)"

/** A line of JSON for each value; `undefined` if one is nested too deeply. */
const lines = (values: ReadonlyArray<unknown>): ReadonlyArray<string> | undefined =>
  unlessDeep(() => values.map(stringify))

export const json: Printer = {
  list: ({ json }) => ({
    part: (values, printed) => {
      const all = lines(values.map(json))
      return (
        all && [
          ...(printed === 0 ? ["["] : []),
          ...all.map((line, index) => `${printed + index === 0 ? " " : ","}${line}`),
        ]
      )
    },
    end: (printed) => (printed === 0 ? ["[]"] : ["]"]),
  }),
  one: ({ json }) => lines([json]),
}

export const jsonl: Printer = {
  ...json,
  list: ({ json }) => ({ part: (values) => lines(values.map(json)), end: () => [] }),
}

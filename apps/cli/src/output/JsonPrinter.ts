/** The formats `json` and `jsonl`. */
import { lines } from "./Json.js"
import type { Printer } from "./Printable.js"

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

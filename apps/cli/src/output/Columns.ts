/** The columns that `--columns` chooses. */
import * as Effect from "effect/Effect"
import * as Flag from "../flags/Flag.js"
import type * as Format from "./Format.js"
import type { Definition, Fields } from "./Printable.js"

/** The flag of commands that `choose` columns. */
export const flag = Flag.optional(Flag.text("names"), "Columns of a table or CSV, separated by commas")

/** Names the columns, for the description of a command. */
export const describe = (fields: Fields<never>): string =>
  `--columns takes the headings of the table, and ${Object.keys(fields).join(", ")}.`

/** The definition with the chosen columns; all without names. */
export const choose = Effect.fnUntraced(function* <A>(
  definition: Definition<A>,
  format: Format.Format,
  names?: string,
) {
  if (names === undefined) return definition
  const { choose } = yield* Effect.promise(() => import("./ChosenColumns.js"))
  return yield* choose(definition, format, names)
})

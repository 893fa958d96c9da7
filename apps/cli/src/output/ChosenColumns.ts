/** Finds columns by their names. Loaded only with `--columns`. */
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Labels from "@vigil/health-text/Labels"
import * as Suggestion from "@vigil/health-text/Suggestion"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { UsageError } from "../flags/UsageError.js"
import * as Format from "./Format.js"
import type { Cell, Column, Definition } from "./Printable.js"

/** Ignores case, spaces, dashes and the time zone of a heading. */
const normalize = (name: string): string => name.toLowerCase().replace(/\(utc\)|[\s-]/g, "")

const isTime = (field: string): boolean => field.endsWith("Time")

/** The time as tables show it. */
const minute = (value: Cell): Cell =>
  typeof value === "string" && Timestamp.isTimestamp(value) ? Labels.minute(value) : value

/** Finds the column that a flag names, by its heading or field. A field without a column becomes one. */
export const find = Effect.fnUntraced(function* <A>({ columns, fields }: Definition<A>, flag: string, text: string) {
  const name = normalize(text)
  const isNamed = (one = "") => normalize(one) === name
  const column = columns.find(({ field, heading }) => field !== undefined && (isNamed(heading) || isNamed(field)))
  const field = column?.field ?? Object.keys(fields).find(isNamed)
  const read = field === undefined ? undefined : fields[field]
  if (field === undefined || read === undefined) {
    const known = Object.keys(fields)
    const advice = `${Suggestion.question(text, known)} The columns are ${known.join(", ")}.`
    return yield* new UsageError(`${flag} has an unknown name, ${JSON.stringify(text)}.${advice}`)
  }
  const heading = Labels.field(field).toUpperCase()
  const made: Column<A> = isTime(field)
    ? { heading: `${heading} (UTC)`, minWidth: 16, cell: (value) => minute(read(value)) }
    : { heading, minWidth: 20, cell: read }
  return { name: text.trim(), read, column: column === undefined ? made : { ...column, cell: column.cell ?? read } }
})

/** Chooses columns by a list such as `level,title`, in its order. They shrink, and are never hidden. CSV has the names of the list. */
export const choose = Effect.fnUntraced(function* <A>(
  definition: Definition<A>,
  format: Format.Format,
  names: string,
): Effect.fn.Return<Definition<A>, UsageError> {
  if (Format.isLossless(format))
    return yield* new UsageError(`--columns and --output ${format} are mutually exclusive: select fields with jq.`)
  const chosen = yield* Effect.forEach(names.split(","), (text) => find(definition, "--columns", text))
  return {
    ...definition,
    columns: chosen.map(({ column }) => Struct.omit(column, ["hideOrder"])),
    fields: Object.fromEntries(chosen.map(({ name, read }) => [name, read])),
  }
})

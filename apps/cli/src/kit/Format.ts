/** Output formats: tables for people, and JSON, JSON lines and CSV for programs. */
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as Flag from "./Flag.js"
import * as Suggestion from "@vigil/health-report/Suggestion"
import { Output, type OutputError, type Service } from "./Output.js"
import * as Table from "./Table.js"
import { NestedTooDeep } from "./NestedTooDeep.js"
import { UsageError } from "../flags/UsageError.js"

/** A cell of CSV. */
export type Cell = string | number | boolean | null | undefined

export type Row = ReadonlyArray<Cell>

type Fields<A> = Readonly<Record<string, (value: A) => Cell>>

interface Column<A> extends Table.Column {
  readonly cell: (value: A) => string | null | undefined
  /** The name of the field that the column shows, for `choose`. */
  readonly field?: string
}

/** How the values of a list are printed: as columns of a table, as fields of CSV, or as JSON. */
export interface Definition<A> {
  readonly columns: ReadonlyArray<Column<A>>
  readonly fields: Fields<A>
  /** Default: an object with the fields. */
  readonly json?: (value: A) => unknown
  /** Tables and CSV leave out other values. Default: all are rows. */
  readonly isRow?: (value: A) => boolean
}

/** The columns and fields of values that contain an `A`. */
export const mapInput = <A, B>({ columns, fields }: Definition<A>, get: (value: B) => A | undefined) => {
  const lift =
    <C>(read: (value: A) => C) =>
    (value: B) => {
      const inner = get(value)
      return inner === undefined ? undefined : read(inner)
    }
  return {
    columns: columns.map((column): Column<B> => ({ ...column, cell: lift(column.cell) })),
    fields: Record.map(fields, lift) satisfies Fields<B>,
  }
}

/** A value as an object with all fields. */
export const toObject = <A>(fields: Fields<A>, value: A): { [name: string]: NonNullable<Cell> | null } =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field(value) ?? null]))

interface Writer<A> {
  /** The lines of some values, or `undefined` if one is nested too deeply. */
  readonly part: (values: ReadonlyArray<A>, printed: number) => ReadonlyArray<string> | undefined
  readonly end: (printed: number) => ReadonlyArray<string>
}

export interface One {
  readonly lines: (width: number | undefined, color: boolean) => ReadonlyArray<string>
  readonly record: Readonly<Record<string, Cell>>
  readonly json: unknown
}

export interface Printer {
  readonly list: <A>(definition: Required<Definition<A>>) => Writer<A>
  readonly one: (value: One) => ReadonlyArray<string> | undefined
}

/** Formats for programs, which are loaded lazily. Add a new one here. */
const printers = {
  json: { isLossless: true, load: () => import("./Json.js").then(({ json }) => json) },
  jsonl: { isLossless: true, load: () => import("./Json.js").then(({ jsonl }) => jsonl) },
  csv: { isLossless: false, load: () => import("./Csv.js").then(({ csv }) => csv) },
}

export type Format = "table" | "wide" | keyof typeof printers

const formats = ["table", "wide", ...Struct.keys(printers)] as const

export const flag = Flag.withDefault(Flag.oneOf(formats, "format"), "table", Flag.either(formats), "o")

export const isTable = (format: Format): format is "table" | "wide" => format === "table" || format === "wide"

/** Whether a format prints everything that the service sent, including invalid entries. */
export const isLossless = (format: Format): boolean => !isTable(format) && printers[format].isLossless

/** The flag of commands that `choose` columns. */
export const columns = Flag.optional(Flag.text("names"), "Columns of a table or CSV, such as level,title,summary")

/** Names the columns, for the description of a command. */
export const describeColumns = (fields: Fields<never>): string => `--columns takes ${Object.keys(fields).join(", ")}.`

/** Ignores case, spaces, dashes and the time zone of a heading. */
const normalize = (name: string): string => name.toLowerCase().replace(/\(utc\)|[\s-]/g, "")

/** Finds a column by its heading or field. A field without a column becomes one. */
const findColumn = <A>({ columns, fields }: Definition<A>, text: string) => {
  const name = normalize(text)
  const isNamed = (one = "") => normalize(one) === name
  const column = columns.find(({ field, heading }) => field !== undefined && (isNamed(heading) || isNamed(field)))
  const field = column?.field ?? Object.keys(fields).find(isNamed)
  const read = field === undefined ? undefined : fields[field]
  if (field === undefined || read === undefined) return undefined
  const heading = field.replace(/[A-Z]/g, " $&").toUpperCase()
  const made: Column<A> = { heading, minWidth: 20, cell: (value) => String(read(value) ?? "") }
  return { name: text.trim(), read, column: column ?? made }
}

/** Chooses columns by a list such as `level,title`, in its order. Without it, all. They shrink, and are never hidden. CSV has the names of the list. */
export const choose = Effect.fnUntraced(function* <A>(
  definition: Definition<A>,
  format: Format,
  names: string | undefined,
): Effect.fn.Return<Definition<A>, UsageError> {
  if (names === undefined) return definition
  if (isLossless(format))
    return yield* new UsageError(`--columns and --output ${format} are mutually exclusive: select fields with jq.`)
  const chosen = yield* Effect.forEach(names.split(","), (text) => {
    const found = findColumn(definition, text)
    if (found !== undefined) return Effect.succeed(found)
    const known = Object.keys(definition.fields)
    const advice = `${Suggestion.question(text, known)} The columns are ${known.join(", ")}.`
    return new UsageError(`--columns has an unknown name, ${JSON.stringify(text)}.${advice}`)
  })
  return {
    ...definition,
    columns: chosen.map(({ column }) => ({
      ...Struct.omit(column, ["hideOrder", "leastWidth"]),
      ...(column.leastWidth !== undefined && { minWidth: column.leastWidth }),
    })),
    fields: Object.fromEntries(chosen.map(({ name, read }) => [name, read])),
  }
})

const load = (format: keyof typeof printers) => Effect.promise(printers[format].load)

const fitted = (format: "table" | "wide", width: number | undefined): number | undefined =>
  format === "wide" && width !== undefined ? Infinity : width

/** With `byPart`, it prints a table per part, so that a printed part need not be read again. */
const printTable = Effect.fnUntraced(function* <A, E, R>(
  { color, data, note, width }: Service,
  { columns, isRow }: Required<Definition<A>>,
  parts: Stream.Stream<ReadonlyArray<A>, E, R>,
  byPart: boolean,
) {
  const hidden = new Set<string>()
  const rowsOf = (values: ReadonlyArray<A>) =>
    values.filter(isRow).map((value) => columns.map(({ cell }) => cell(value) ?? ""))
  const print = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
    const table = Table.render(columns, rows, width, color)
    for (const heading of table.hidden) hidden.add(heading)
    return data(table.lines)
  }
  if (byPart) yield* Stream.runForEach(parts, (values) => (values.length === 0 ? Effect.void : print(rowsOf(values))))
  else {
    const rows: Array<ReadonlyArray<ReadonlyArray<string>>> = []
    yield* Stream.runForEach(parts, (values) => Effect.sync(() => void rows.push(rowsOf(values)))).pipe(
      Effect.tapError(() => (rows.every(({ length }) => length === 0) ? Effect.void : print(rows.flat()))),
    )
    yield* print(rows.flat())
  }
  if (hidden.size > 0) yield* note(`Hidden columns: ${[...hidden].join(", ")}. Show them with --output wide.`)
})

/**
 * Prints a list. Fails with `NestedTooDeep` if the format can't represent a value. For a list that can be resumed, `printedBefore` is the number
 * of values that earlier runs printed, and a table is printed per part. Otherwise, one table is printed at the end or on failure.
 */
export const list = Effect.fnUntraced(function* <A, E, R>(
  format: Format,
  definition: Definition<A>,
  parts: Stream.Stream<ReadonlyArray<A>, E, R>,
  printedBefore?: number,
) {
  const output = yield* Output
  const all = { json: (value: A) => toObject(definition.fields, value), isRow: () => true, ...definition }
  if (isTable(format)) {
    const width = fitted(format, output.width)
    return yield* printTable({ ...output, width }, all, parts, printedBefore !== undefined)
  }
  const { end, part } = (yield* load(format)).list(all)
  const print = (before: number, values: ReadonlyArray<A>): Effect.Effect<number, NestedTooDeep | OutputError> => {
    if (values.length === 0) return Effect.succeed(before)
    const lines = part(values, before)
    return lines === undefined
      ? Effect.fail(new NestedTooDeep({ format }))
      : Effect.as(output.data(lines), before + values.length)
  }
  yield* output.data(end(yield* Stream.runFoldEffect(parts, () => printedBefore ?? 0, print)))
})

/** Prints one value. Fails with `NestedTooDeep` if the format can't represent it. */
export const one = Effect.fnUntraced(function* (format: Format, value: One) {
  const { color, data, width } = yield* Output
  if (isTable(format)) return yield* data(value.lines(fitted(format, width), color))
  const lines = (yield* load(format)).one(value)
  return yield* lines === undefined ? new NestedTooDeep({ format }) : data(lines)
})

/** Output formats: tables for people, and JSON, JSON lines and CSV for programs. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import { NestedTooDeep, UsageError } from "./Failure.js"
import * as Flag from "./Flag.js"
import * as Suggestion from "./Suggestion.js"
import { Output, type OutputError, type Service } from "./Output.js"
import * as Table from "./Table.js"

/** A cell of CSV. */
export type Cell = string | number | boolean | null | undefined

export type Row = ReadonlyArray<Cell>

/** How a value of a list is printed. Tables and CSV leave out values without a row. */
export interface Shape<A> {
  readonly columns: ReadonlyArray<Table.Column>
  readonly row: (value: A) => ReadonlyArray<string> | undefined
  readonly fields: ReadonlyArray<string>
  readonly record: (value: A) => Row | undefined
  readonly json: (value: A) => unknown
}

type Fields<A> = Readonly<Record<string, (value: A) => Cell>>

interface Column<A> extends Table.Column {
  readonly cell: (value: A) => string | null | undefined
  /** The name of the field that the column shows, for `choose`. */
  readonly field?: string
}

/** The columns of a table, the fields of CSV, and the value of JSON: by default, an object with the fields of CSV. */
export interface Definition<A> {
  readonly columns: ReadonlyArray<Column<A>>
  readonly fields: Fields<A>
  readonly json?: (value: A) => unknown
}

/** A value as an object with all fields. */
export const toObject = <A>(fields: Fields<A>, value: A): Record<string, NonNullable<Cell> | null> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field(value) ?? null]))

export const shape = <A>({ columns, fields, json = (value) => toObject(fields, value) }: Definition<A>): Shape<A> => ({
  columns,
  row: (value) => columns.map(({ cell }) => cell(value) ?? ""),
  fields: Object.keys(fields),
  record: (value) => Object.values(fields).map((field) => field(value)),
  json,
})

interface Writer<A> {
  /** The lines of some values, or `undefined` if one is nested too deeply. */
  readonly part: (values: ReadonlyArray<A>, printed: number) => ReadonlyArray<string> | undefined
  readonly end: (printed: number) => ReadonlyArray<string>
}

const defined = <A>(values: ReadonlyArray<A | undefined>): ReadonlyArray<A> =>
  values.filter((value) => value !== undefined)

export interface One {
  readonly lines: (width: number | undefined, color: boolean) => ReadonlyArray<string>
  readonly record: Readonly<Record<string, Cell>>
  readonly json: unknown
}

export interface Printer {
  readonly list: <A>(shape: Shape<A>) => Writer<A>
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
    const advice = Suggestion.question(text, known) || ` The columns are ${known.join(", ")}.`
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
  { columns, row }: Shape<A>,
  parts: Stream.Stream<ReadonlyArray<A>, E, R>,
  byPart: boolean,
) {
  const hidden = new Set<string>()
  const print = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
    const table = Table.render(columns, rows, width, color)
    for (const heading of table.hidden) hidden.add(heading)
    return data(table.lines)
  }
  if (byPart)
    yield* Stream.runForEach(parts, (values) => (values.length === 0 ? Effect.void : print(defined(values.map(row)))))
  else {
    const rows: Array<ReadonlyArray<ReadonlyArray<string>>> = []
    yield* Stream.runForEach(parts, (values) => Effect.sync(() => void rows.push(defined(values.map(row))))).pipe(
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
  shape: Shape<A>,
  parts: Stream.Stream<ReadonlyArray<A>, E, R>,
  printedBefore?: number,
) {
  const output = yield* Output
  if (isTable(format)) {
    const width = fitted(format, output.width)
    return yield* printTable({ ...output, width }, shape, parts, printedBefore !== undefined)
  }
  const { end, part } = (yield* load(format)).list(shape)
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

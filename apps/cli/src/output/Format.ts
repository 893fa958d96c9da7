/** Output formats: tables for people, and JSON, JSON lines and CSV for programs. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as Flag from "../flags/Flag.js"
import { Output, type OutputError, type Service } from "./Output.js"
import { type Definition, type One, toObject } from "./Printable.js"
import * as Table from "./Table.js"

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

const load = (format: keyof typeof printers) => Effect.promise(printers[format].load)

const fitted = (format: "table" | "wide", width: number | undefined): number | undefined =>
  format === "wide" && width !== undefined ? Infinity : width

/** With `byPart`, it prints a table per part, so that a printed part need not be read again. */
const printTable = Effect.fnUntraced(function* <A, E, R>(
  { color, data, note, width }: Service,
  { columns, fields, isRow }: Required<Definition<A>>,
  parts: Stream.Stream<ReadonlyArray<A>, E, R>,
  { byPart, hasHeadings }: { readonly byPart: boolean; readonly hasHeadings: boolean },
) {
  const hidden = new Set<string>()
  const reads = columns.map(({ cell, field = "" }) => cell ?? fields[field])
  const rowsOf = (values: ReadonlyArray<A>) =>
    values.filter(isRow).map((value) => reads.map((read) => String(read?.(value) ?? "")))
  const print = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
    const table = Table.render(columns, rows, width, color, hasHeadings)
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

/** A value is nested too deeply for a format. */
export class NestedTooDeep extends Data.TaggedError("NestedTooDeep")<{ readonly format: string }> {
  readonly exit = "invalid"

  override get message() {
    return `The response is nested too deeply for --output ${this.format}. Pass another --output.`
  }
}

interface Options {
  /** Whether a table or CSV has a line of headings. Default: true. */
  readonly hasHeadings?: boolean
  readonly resumable?: { readonly printedBefore: number } | undefined
}

export const noHeaders = Flag.boolean("Leave out the headings of a table or CSV")

/**
 * Prints a list. Fails with `NestedTooDeep` if the format can't represent a value. A list that can be resumed is printed as a table per part, because
 * a printed part is not read again; any other one as one table, at the end or on failure. `printedBefore`: how many values earlier runs printed.
 */
export const list = Effect.fnUntraced(function* <A, E, R>(
  format: Format,
  definition: Definition<A>,
  parts: Stream.Stream<ReadonlyArray<A>, E, R>,
  { hasHeadings = true, resumable }: Options = {},
) {
  const output = yield* Output
  const all = { json: (value: A) => toObject(definition.fields, value), isRow: () => true, ...definition }
  if (isTable(format)) {
    const width = fitted(format, output.width)
    return yield* printTable({ ...output, width }, all, parts, { byPart: resumable !== undefined, hasHeadings })
  }
  const { end, part } = (yield* load(format)).list(all, hasHeadings)
  const print = (before: number, values: ReadonlyArray<A>): Effect.Effect<number, NestedTooDeep | OutputError> => {
    if (values.length === 0) return Effect.succeed(before)
    const lines = part(values, before)
    return lines === undefined
      ? Effect.fail(new NestedTooDeep({ format }))
      : Effect.as(output.data(lines), before + values.length)
  }
  yield* output.data(end(yield* Stream.runFoldEffect(parts, () => resumable?.printedBefore ?? 0, print)))
})

/** Prints one value. Fails with `NestedTooDeep` if the format can't represent it. */
export const one = Effect.fnUntraced(function* (format: Format, value: One) {
  const { color, data, width } = yield* Output
  if (isTable(format)) return yield* data(value.lines(fitted(format, width), color))
  const lines = (yield* load(format)).one(value)
  return yield* lines === undefined ? new NestedTooDeep({ format }) : data(lines)
})

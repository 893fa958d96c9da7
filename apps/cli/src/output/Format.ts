/** In which format a command prints its data: a table for people, or JSON, JSON lines, CSV or YAML for programs. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import { NestedTooDeep } from "../Failure.js"
import * as Flag from "../Flag.js"
import type * as Csv from "./Csv.js"
import * as Json from "./Json.js"
import { Output, type OutputError, type Service } from "./Output.js"
import * as Table from "./Table.js"
import type * as Yaml from "./Yaml.js"

/** How a thing of a list is printed. What has no row or no record is left out of the tables. */
export interface Shape<A> {
  readonly columns: ReadonlyArray<Table.Column>
  readonly row: (value: A) => ReadonlyArray<string> | undefined
  /** The columns of CSV: nothing in them is cut. */
  readonly fields: ReadonlyArray<string>
  readonly record: (value: A) => Csv.Row | undefined
  /** The whole value, for JSON and YAML. */
  readonly json: (value: A) => unknown
}

/** The lines of a part of a list, and the values that are nested too deeply for the format. */
interface Part<A> {
  readonly lines: ReadonlyArray<string>
  readonly tooDeep: ReadonlyArray<A>
}

/** Prints a part of a list, and its end. `printed` is how many values are printed before. */
interface Writer<A> {
  readonly part: (values: ReadonlyArray<A>, printed: number) => Part<A>
  readonly end: (printed: number) => ReadonlyArray<string>
}

const present = <A, B>(values: ReadonlyArray<A>, of: (value: A) => B | undefined): ReadonlyArray<B> =>
  values.map(of).filter((one) => one !== undefined)

/** A part whose values are printed by themselves. */
const each = <A>(values: ReadonlyArray<A>, print: (value: A) => ReadonlyArray<string> | undefined): Part<A> => {
  const lines: Array<ReadonlyArray<string>> = []
  const tooDeep: Array<A> = []
  for (const value of values) {
    const printed = print(value)
    if (printed === undefined) tooDeep.push(value)
    else lines.push(printed)
  }
  return { lines: lines.flat(), tooDeep }
}

const jsonLine = (value: unknown): ReadonlyArray<string> | undefined => {
  const line = Json.line(value)
  return line === undefined ? undefined : [line]
}

/** How one value is printed: for people as lines that fit the terminal, for CSV as a record. */
export interface One {
  readonly lines: (width: number | undefined, color: boolean) => ReadonlyArray<string>
  readonly record: Readonly<Record<string, Csv.Cell>>
  readonly json: unknown
}

/** How a format for programs prints. `one` returns nothing if the value is nested too deeply. */
interface Printer {
  readonly list: <A>(shape: Shape<A>) => Writer<A>
  readonly one: (value: One) => ReadonlyArray<string> | undefined
}

const json: Printer = {
  list: ({ json }) => ({
    part: (values, printed) => {
      const { lines, tooDeep } = each(values, (value) => jsonLine(json(value)))
      const begin = printed === 0 && lines.length > 0 ? ["["] : []
      return {
        lines: [...begin, ...lines.map((line, index) => `${printed + index === 0 ? " " : ","}${line}`)],
        tooDeep,
      }
    },
    end: (printed) => (printed === 0 ? ["[]"] : ["]"]),
  }),
  one: ({ json }) => jsonLine(json),
}

const jsonl: Printer = {
  ...json,
  list: ({ json }) => ({ part: (values) => each(values, (value) => jsonLine(json(value))), end: () => [] }),
}

const csv = ({ lines }: typeof Csv): Printer => ({
  list: ({ fields, record }) => ({
    part: (values, printed) => ({
      lines: [...(printed === 0 ? lines([fields]) : []), ...lines(present(values, record))],
      tooDeep: [],
    }),
    end: (printed) => (printed === 0 ? lines([fields]) : []),
  }),
  one: ({ record }) => lines([Object.keys(record), Object.values(record)]),
})

const yaml = ({ lines }: typeof Yaml): Printer => ({
  list: ({ json }) => ({
    part: (values) => each(values, (value) => lines([json(value)])),
    end: (printed) => (printed === 0 ? ["[]"] : []),
  }),
  one: ({ json }) => lines(json),
})

/** The formats for programs. A new one is a line here. Large libraries are loaded when they are used. */
const printers = {
  json: { isLossless: true, load: () => Promise.resolve(json) },
  jsonl: { isLossless: true, load: () => Promise.resolve(jsonl) },
  csv: { isLossless: false, load: () => import("./Csv.js").then(csv) },
  yaml: { isLossless: true, load: () => import("./Yaml.js").then(yaml) },
}

/** An output format. `table` and `wide` are for people. */
export type Format = "table" | "wide" | keyof typeof printers

/** The flag of every command that prints data. */
export const flag = Flag.withDefault(
  Flag.oneOf(["table", "wide", ...Struct.keys(printers)]),
  "table",
  "Output format; wide shows every column in full",
  "o",
)

/** Whether a format is a table or text for people. */
export const isTable = (format: Format): format is "table" | "wide" => format === "table" || format === "wide"

/** Whether a format has everything that the service sent, invalid entries included. */
export const isLossless = (format: Format): boolean => !isTable(format) && printers[format].isLossless

const load = (format: keyof typeof printers) => Effect.promise(printers[format].load)

/** The width that lines are fitted to. Without one, they are as long as they need to be. */
const fitted = (format: "table" | "wide", width: number | undefined): number | undefined =>
  format === "wide" && width !== undefined ? Infinity : width

/** Prints the whole list as one table, or with `byPart` a table for each part, so that a printed part need not be read again. */
const printTable = <A, E, R>(
  { color, data, note, width }: Service,
  { columns, row }: Shape<A>,
  parts: Stream.Stream<ReadonlyArray<A>, E, R>,
  byPart: boolean,
) =>
  Effect.gen(function* () {
    const hidden = new Set<string>()
    const print = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
      for (const heading of Table.hidden(columns, rows, width)) hidden.add(heading)
      return data(Table.render(columns, rows, width, color))
    }
    if (byPart)
      yield* Stream.runForEach(parts, (values) => (values.length === 0 ? Effect.void : print(present(values, row))))
    else {
      const rows: Array<ReadonlyArray<ReadonlyArray<string>>> = []
      yield* Stream.runForEach(parts, (values) => Effect.sync(() => void rows.push(present(values, row)))).pipe(
        Effect.tapError(() => (rows.every(({ length }) => length === 0) ? Effect.void : print(rows.flat()))),
      )
      yield* print(rows.flat())
    }
    if (hidden.size > 0) yield* note(`Hidden columns: ${[...hidden].join(", ")}. Show them with --output wide.`)
  })

/** A list that is printed by several runs, one after the other: how many of its things were printed by those before this one. */
export interface Resumed {
  readonly printed: number
}

/**
 * Prints a list as its parts come; a table when all have come, as its columns depend on all. What came before a list breaks off is printed.
 * A list that breaks off leaves a JSON array open, and no list at all is no output: neither can be taken for all that there is.
 * A list that is resumed goes on where the last run stopped, without the headings of CSV, and with a table for each part.
 * Returns the values that are nested too deeply for the format. They are not printed; a note counts them.
 */
export const list = <A, E, R>(
  format: Format,
  shape: Shape<A>,
  parts: Stream.Stream<ReadonlyArray<A>, E, R>,
  resumed?: Resumed,
): Effect.Effect<ReadonlyArray<A>, E | OutputError, R | Output> =>
  Effect.gen(function* () {
    const output = yield* Output
    if (isTable(format)) {
      const width = fitted(format, output.width)
      yield* printTable({ ...output, width }, shape, parts, resumed !== undefined)
      return []
    }
    const { end, part } = (yield* load(format)).list(shape)
    const left: Array<A> = []
    const total = yield* Stream.runFoldEffect(parts, resumed?.printed ?? 0, (before, values) => {
      if (values.length === 0) return Effect.succeed(before)
      const { lines, tooDeep } = part(values, before)
      for (const value of tooDeep) left.push(value)
      return Effect.as(output.data(lines), before + values.length - tooDeep.length)
    })
    yield* output.data(end(total))
    if (left.length > 0)
      yield* output.note(
        `vigil: ${left.length === 1 ? "1 entry is" : `${left.length} entries are`} nested too deeply for ${format}, and not printed.`,
      )
    return left
  })

/** Prints one value. Fails with `NestedTooDeep` if the format cannot represent it. */
export const one = (format: Format, value: One): Effect.Effect<void, NestedTooDeep | OutputError, Output> =>
  Effect.gen(function* () {
    const { color, data, width } = yield* Output
    if (isTable(format)) return yield* data(value.lines(fitted(format, width), color))
    const lines = (yield* load(format)).one(value)
    return yield* lines === undefined ? new NestedTooDeep({ format }) : data(lines)
  })

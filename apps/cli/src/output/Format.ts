/** In which format a command prints its data: a table for people, or JSON, JSON lines, CSV or YAML for programs. */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Csv from "./Csv.js"
import * as Json from "./Json.js"
import { Output, type OutputError, type Service } from "./Output.js"
import * as Table from "./Table.js"

/** The formats, and what each is called. */
const all = ["table", "wide", "json", "jsonl", "csv", "yaml"] as const

/** One of the formats. */
export type Format = (typeof all)[number]

/** The flag that every command has which prints data. */
export const flag = Options.choice("output", all).pipe(
  Options.withAlias("o"),
  Options.withDescription(
    "Output format. wide shows every column; json, jsonl and yaml hold all that the service sent. Default: table.",
  ),
  Options.withDefault("table"),
)

/** Whether a format is a table or text for people. */
export const isTable = (format: Format): format is "table" | "wide" => format === "table" || format === "wide"

/** Whether a format holds all that the service sent, invalid entries included. */
export const isLossless = (format: Format): boolean => !isTable(format) && format !== "csv"

/** The width that lines are fitted to; without one, they are as long as they need to be. */
const fitted = (format: "table" | "wide", width: number | undefined): number | undefined =>
  format === "wide" && width !== undefined ? Infinity : width

/** How a thing of a list is printed. What has no row or no record is left out of the tables. */
export interface Shape<A> {
  readonly columns: ReadonlyArray<Table.Column>
  readonly row: (value: A) => ReadonlyArray<string> | undefined
  /** The columns of CSV: nothing in them is cut. */
  readonly fields: ReadonlyArray<string>
  readonly record: (value: A) => Csv.Row | undefined
  /** All of it, as JSON and YAML have it. */
  readonly json: (value: A) => unknown
}

/** Loaded when they are asked for: what they are made of is large. */
const csv = Effect.promise(() => import("./Csv.js"))
const yaml = Effect.promise(() => import("./Yaml.js"))

/** Begins, goes on with a part of the list, and ends. `first` is the part's first place in the list. */
interface Writer<A> {
  readonly part: (values: ReadonlyArray<A>, first: number) => ReadonlyArray<string>
  readonly end: (total: number) => ReadonlyArray<string>
}

const present = <A, B>(values: ReadonlyArray<A>, of: (value: A) => B | undefined): ReadonlyArray<B> =>
  values.map(of).filter((one) => one !== undefined)

const writers: {
  readonly [F in Exclude<Format, "table" | "wide">]: <A>(shape: Shape<A>) => Effect.Effect<Writer<A>>
} = {
  json: ({ json }) =>
    Effect.succeed({
      part: (values, first) => [
        ...(first === 0 ? ["["] : []),
        ...values.map((value, index) => `${first + index === 0 ? " " : ","}${Json.line(json(value))}`),
      ],
      end: (total) => (total === 0 ? ["[]"] : ["]"]),
    }),
  jsonl: ({ json }) =>
    Effect.succeed({ part: (values) => values.map((value) => Json.line(json(value))), end: () => [] }),
  csv: ({ fields, record }) =>
    Effect.map(csv, ({ lines }) => ({
      part: (values, first) => [...(first === 0 ? lines([fields]) : []), ...lines(present(values, record))],
      end: (total) => (total === 0 ? lines([fields]) : []),
    })),
  yaml: ({ json }) =>
    Effect.map(yaml, ({ lines }) => ({
      part: (values) => values.flatMap((value) => lines([json(value)])),
      end: (total) => (total === 0 ? ["[]"] : []),
    })),
}

/** Prints the whole list as one table, or with `byPart` a table for each part, so that a printed part need not be read again. */
const printTable = <A, E, R>(
  { colour, data, note, width }: Service,
  { columns, row }: Shape<A>,
  parts: Stream.Stream<ReadonlyArray<A>, E, R>,
  byPart: boolean,
) =>
  Effect.gen(function* () {
    const hidden = new Set<string>()
    const print = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
      for (const heading of Table.hidden(columns, rows, width)) hidden.add(heading)
      return data(Table.render(columns, rows, width, colour))
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
 */
export const list = <A, E, R>(
  format: Format,
  shape: Shape<A>,
  parts: Stream.Stream<ReadonlyArray<A>, E, R>,
  resumed?: Resumed,
): Effect.Effect<void, E | OutputError, R | Output> =>
  Effect.gen(function* () {
    const output = yield* Output
    if (isTable(format)) {
      const width = fitted(format, output.width)
      return yield* printTable({ ...output, width }, shape, parts, resumed !== undefined)
    }
    const { end, part } = yield* writers[format](shape)
    const total = yield* Stream.runFoldEffect(parts, resumed?.printed ?? 0, (first, values) =>
      values.length === 0 ? Effect.succeed(first) : Effect.as(output.data(part(values, first)), first + values.length),
    )
    return yield* output.data(end(total))
  })

/** How one thing is printed: for people as lines that fit the terminal, for CSV as a record. */
export interface One {
  readonly lines: (width: number | undefined, colour: boolean) => ReadonlyArray<string>
  readonly record: Readonly<Record<string, Csv.Cell>>
  readonly json: unknown
}

/** Prints one thing. */
export const one = (format: Format, { json, lines, record }: One): Effect.Effect<void, OutputError, Output> =>
  Effect.flatMap(Output, ({ colour, data, width }) => {
    switch (format) {
      case "table":
      case "wide":
        return data(lines(fitted(format, width), colour))
      case "json":
      case "jsonl":
        return data([Json.line(json)])
      case "csv":
        return Effect.flatMap(csv, (Csv) => data(Csv.lines([Object.keys(record), Object.values(record)])))
      case "yaml":
        return Effect.flatMap(yaml, (Yaml) => data(Yaml.lines(json)))
    }
  })

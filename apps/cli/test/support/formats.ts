/** Parses the output of the command with independent parsers. */
import { parse as parseCsv } from "csv-parse/sync"

/** A parser for each machine-readable format. Each throws if its input is invalid. */
export const readers = {
  json: (text: string): unknown => JSON.parse(text),
  jsonl: (text: string): unknown =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line): unknown => JSON.parse(line)),
  csv: (text: string): unknown => parseCsv(text, { columns: true }),
}

export type Name = keyof typeof readers

export const names: ReadonlyArray<Name> = ["json", "jsonl", "csv"]

/** Reads what the command prints, as a program would that knows the format alone. */
import { parse as parseCsv } from "csv-parse/sync"
import { parse as parseYaml } from "yaml"

/** The formats for programs. Each throws at what is not of its format. */
export const readers = {
  json: (text: string): unknown => JSON.parse(text),
  jsonl: (text: string): unknown =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line): unknown => JSON.parse(line)),
  csv: (text: string): unknown => parseCsv(text, { columns: true }),
  yaml: (text: string): unknown => parseYaml(text, { maxAliasCount: 0 }),
}

/** The name of one of them. */
export type Name = keyof typeof readers

/** Their names. */
export const names: ReadonlyArray<Name> = ["json", "jsonl", "csv", "yaml"]

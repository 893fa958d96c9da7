/** The help page of a command. */
import * as Wrap from "@vigil/health-text/Wrap"
import * as Effect from "effect/Effect"
import * as Command from "./Command.js"
import * as Parse from "./Parse.js"

/** The width without a terminal, and the maximum width. */
const maxWidth = 100

const indent = "  "

const wrap = (text: string, width: number) => Wrap.flow(text.split(" "), " ", width)

const columns = (rows: ReadonlyArray<readonly [label: string, text: string]>, width: number): ReadonlyArray<string> => {
  const labelWidth = Math.max(...rows.map(([label]) => label.length), 0)
  const start = indent.length + labelWidth + 2
  return rows.flatMap(([label, text]) =>
    wrap(text, Math.max(24, width - start)).map(
      (line, index) => (index === 0 ? indent + label : "").padEnd(start) + line,
    ),
  )
}

const firstSentence = (text: string): string => /^.+?\.(?= |$)/.exec(text)?.[0] ?? text

/** The lines of the page. Flags are one line each at the widest width. */
export const render = Effect.fnUntraced(function* (
  { command, path }: Parse.Parsed,
  { color, width = maxWidth }: { readonly color: boolean; readonly width: number | undefined },
): Effect.fn.Return<ReadonlyArray<string>> {
  const { args, description, examples, flags } = command
  const commands = yield* Command.load(command)
  const section = (heading: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : ["", color ? `\u001b[1m${heading}\u001b[0m` : heading, ...lines]
  const table = (rows: ReadonlyArray<readonly [string, string]>) => columns(rows, Math.min(width, maxWidth))
  const isGroup = commands.length > 0
  return [
    ...wrap(description, Math.min(width, maxWidth)),
    ...section("USAGE", [`${indent}${Parse.usage(path, args)}${isGroup ? " <command>" : ""} [flags]`]),
    ...section("COMMANDS", table(commands.map(([name, { description }]) => [name, firstSentence(description)]))),
    ...section("ARGUMENTS", table(Object.values(args).map((one) => [Parse.label(one), one.description]))),
    ...section(
      "FLAGS",
      table(
        Command.all({ ...flags, ...Parse.common }).map(({ flag, names }) => [
          [names.join(", "), ...(flag.value === undefined ? [] : [Parse.label(flag.value)])].join(" "),
          flag.description,
        ]),
      ),
    ),
    ...section(
      "EXAMPLES",
      examples.map((line) => indent + line),
    ),
    ...(isGroup
      ? ["", ...wrap(`Run ${path} <command> --help to see the flags of a command.`, Math.min(width, maxWidth))]
      : []),
  ]
})

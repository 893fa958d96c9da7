/** The page of help of a command: what it does, how it is called, and examples to copy. */
import * as Examples from "../Examples.js"
import * as Manual from "./Manual.js"

/** Where there is no terminal, and no wider than this where there is one: long lines are hard to read. */
const standard = 80

/** Labels wider than this stand on a line of their own. */
const widestLabel = 28

const indent = "  "

/** The words of a text in lines of at most `width`; a word that is longer is not broken, so that it can be copied. */
const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const joined = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && joined.length <= width) lines.splice(-1, 1, joined)
    else lines.push(word)
  }
  return lines
}

/** Two columns: what a thing is called, and what it is for. */
const columns = (
  rows: ReadonlyArray<{ readonly label: string; readonly text: string }>,
  width: number,
): ReadonlyArray<string> => {
  const room = Math.max(...rows.map(({ label }) => label.length).filter((length) => length <= widestLabel), 0)
  const start = indent.length + room + 2
  return rows.flatMap(({ label, text }) => {
    const [first = "", ...rest] = wrap(text, Math.max(24, width - start))
    const further = rest.map((line) => " ".repeat(start) + line)
    return label.length <= room
      ? [`${indent}${label.padEnd(room)}  ${first}`.trimEnd(), ...further]
      : [indent + label, `${" ".repeat(start)}${first}`.trimEnd(), ...further]
  })
}

const usage = ({ args, commands, flags, path }: Manual.Manual): string =>
  [path, ...(commands.length > 0 ? ["<command>"] : []), ...args.map(({ label }) => label)].join(" ") +
  (commands.length > 0 || flags.length > 0 ? " [flags]" : "")

/** The lines of the page. `width` is the terminal's; headings are bold where `colour` is wanted. */
export const render = (
  manual: Manual.Manual,
  { colour, width = standard }: { readonly colour: boolean; readonly width: number | undefined },
): ReadonlyArray<string> => {
  const wide = Math.min(width, standard)
  const section = (heading: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : ["", colour ? `\u001b[1m${heading}\u001b[0m` : heading, ...lines]
  const isRoot = manual.path === manual.name
  const commands = manual.commands.map(({ description, name }) => ({ label: name, text: description }))
  return [
    ...wrap(manual.description, wide),
    ...section("USAGE", [indent + usage(manual)]),
    ...section("COMMANDS", columns(commands, wide)),
    ...section("ARGUMENTS", columns(manual.args, wide)),
    ...section("FLAGS", columns([...manual.flags, ...Manual.common, ...(isRoot ? Manual.own : [])], wide)),
    ...section(
      "EXAMPLES",
      Examples.of(manual.path).map((line) => indent + line),
    ),
    ...(commands.length === 0 ? [] : ["", `Run ${manual.path} <command> --help for what a command takes.`]),
  ]
}

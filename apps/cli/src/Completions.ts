/** `vigil completions`: a script that completes commands, flags and values in a shell. */
import * as Command from "./Command.js"
import * as Flag from "./Flag.js"
import * as Output from "./output/Output.js"
import * as Parse from "./Parse.js"

interface Position {
  readonly path: string
  readonly flags: ReadonlyArray<Command.Named>
  readonly commands: ReadonlyArray<Command.Command>
}

const positionsOf = (command: Command.Command, parent = ""): ReadonlyArray<Position> => {
  const path = `${parent}${command.name}`
  const flags = Command.all({ ...command.flags, ...Parse.common })
  const { commands } = command
  return [{ path, flags, commands }, ...commands.flatMap((one) => positionsOf(one, `${path} `))]
}

const quote = (text: string, escapedQuote = "'\\''"): string => `'${text.replaceAll("'", escapedQuote)}'`

const firstClause = (text: string): string => /^.+?(?=[.,;:](?: |$)| \()/.exec(text)?.[0] ?? text

const isFile = ({ value }: Flag.Flag<unknown>): boolean => value?.label === "file"
const choicesOf = ({ value }: Flag.Flag<unknown>): ReadonlyArray<string> => value?.choices ?? []

const valueFlags = ({ flags, path }: Position) =>
  flags
    .filter(({ flag }) => flag.value !== undefined)
    .map(({ flag, names }) => ({ flag, pattern: names.map((name) => `"${path} ${name}"`).join("|") }))

const paths = (all: ReadonlyArray<Position>, separator: string): string =>
  all
    .slice(1)
    .map(({ path }) => `"${path}"`)
    .join(separator)

const bash = (all: ReadonlyArray<Position>): ReadonlyArray<string> => [
  "# Completions of vigil for bash. Add to ~/.bashrc: source <(vigil completions bash)",
  "_vigil() {",
  '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}" at="vigil" word words=""',
  '  if [[ $current == "=" ]]; then current=""; fi',
  '  if [[ $previous == "=" ]]; then previous="${COMP_WORDS[COMP_CWORD - 2]}"; fi',
  "  COMPREPLY=()",
  '  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do',
  `    case "$at $word" in ${paths(all, "|")}) at="$at $word" ;; esac`,
  "  done",
  '  case "$at $previous" in',
  ...all.flatMap(valueFlags).map(({ flag, pattern }) => {
    const words = `COMPREPLY=($(compgen -W ${quote(choicesOf(flag).join(" "))} -- "$current")); `
    const files = `local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current")); `
    return `    ${pattern}) ${isFile(flag) ? files : choicesOf(flag).length > 0 ? words : ""}return ;;`
  }),
  "  esac",
  '  case "$at" in',
  ...all.map(({ commands, flags, path }) => {
    const words = [...commands.map(({ name }) => name), ...flags.flatMap(({ names }) => names)]
    return `    "${path}") words=${quote(words.join(" "))} ;;`
  }),
  "  esac",
  '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
  "}",
  "complete -F _vigil vigil",
]

const entryOf = (word: string, text: string): string => quote(`${word}:${firstClause(text)}`)

const zsh = (all: ReadonlyArray<Position>): ReadonlyArray<string> => [
  "#compdef vigil",
  "# Completions of vigil for zsh. Add to ~/.zshrc, after compinit: source <(vigil completions zsh)",
  "_vigil() {",
  "  local at=vigil i",
  "  local -a entries",
  "  for ((i = 2; i < CURRENT; i++)); do",
  `    case "$at \${words[i]}" in (${paths(all, "|")}) at="$at \${words[i]}" ;; esac`,
  "  done",
  '  case "$at ${words[CURRENT - 1]}" in',
  ...all.flatMap(valueFlags).map(({ flag, pattern }) => {
    const choices = choicesOf(flag)
    const words =
      choices.length > 0
        ? `entries=(${choices.join(" ")}); _describe value entries`
        : `_message ${quote(flag.value?.label ?? "")}`
    return `    (${pattern}) ${isFile(flag) ? "_files" : words}; return ;;`
  }),
  "  esac",
  '  case "$at" in',
  ...all.map(({ commands, flags, path }) => {
    const entries = [
      ...commands.map(({ description, name }) => entryOf(name, description)),
      ...flags.flatMap(({ flag, names }) => names.map((name) => entryOf(name, flag.description))),
    ]
    return `    ("${path}") entries=(${entries.join(" ")}) ;;`
  }),
  "  esac",
  "  _describe -o vigil entries",
  "}",
  'if [[ "${funcstack[1]}" == _vigil ]]; then _vigil "$@"; else compdef _vigil vigil; fi',
]

const fish = (all: ReadonlyArray<Position>): ReadonlyArray<string> => [
  "# Completions of vigil for fish. Save as ~/.config/fish/completions/vigil.fish",
  "function __vigil_at",
  "  set -l at vigil",
  "  for word in (commandline -opc)[2..-1]",
  '    switch "$at $word"',
  `      case ${paths(all, " ")}`,
  '        set at "$at $word"',
  "    end",
  "  end",
  '  test "$at" = "$argv[1]"',
  "end",
  "complete -c vigil -f",
  ...all.flatMap(({ commands, flags, path }) => {
    const here = `complete -c vigil -n '__vigil_at "${path}"'`
    const text = (description: string) => `-d ${quote(firstClause(description), "\\'")}`
    return [
      ...commands.map(({ description, name }) => `${here} -a ${name} ${text(description)}`),
      ...flags.map(({ flag, name, names }) => {
        const short = names.length > 1 ? [`-s ${flag.short}`] : []
        const values = isFile(flag) ? ["-r -F"] : flag.value ? [`-x -a ${quote(choicesOf(flag).join(" "), "\\'")}`] : []
        return [here, ...short, `-l ${name.slice("--".length)}`, ...values, text(flag.description)].join(" ")
      }),
    ]
  }),
]

const scripts = { bash, zsh, fish }

export const command = (root: () => Command.Command): Command.Command =>
  Command.make({
    name: "completions",
    description: "Print a completion script for a shell. A comment at its start says how to install it.",
    examples: ["vigil completions bash", "vigil completions fish"],
    flags: {},
    args: {
      shell: { ...Flag.oneOf(["bash", "zsh", "fish"], "shell"), description: "bash, zsh or fish" },
    },
    notesIgnoredFiles: false,
    run: function* ({ shell }) {
      yield* Output.data(scripts[shell](positionsOf(root())))
    },
  })

/** `vigil completions`: a script that completes commands, flags and values in a shell. */
import * as Effect from "effect/Effect"
import * as Command from "./Command.js"
import * as Flag from "../flags/Flag.js"
import * as Output from "../output/Output.js"
import * as Parse from "./Parse.js"

interface Position {
  readonly path: string
  readonly flags: ReadonlyArray<Command.Named>
  readonly commands: ReadonlyArray<readonly [name: string, command: Command.Command]>
  /** The values of its arguments, and whether one is a file. */
  readonly choices: ReadonlyArray<string>
  readonly hasFile: boolean
}

type Value = Pick<Flag.Value<unknown>, "choices" | "label"> | undefined

const isFile = (value: Value): boolean => value?.label === "file"
const choicesOf = (value: Value): ReadonlyArray<string> => value?.choices ?? []

const positionsOf = Effect.fnUntraced(function* (
  command: Command.Command,
  path: string,
): Effect.fn.Return<ReadonlyArray<Position>> {
  const flags = Command.all({ ...command.flags, ...Parse.common })
  const commands = yield* Command.load(command)
  const args = Object.values(command.args)
  const own = { path, flags, commands, choices: args.flatMap(choicesOf), hasFile: args.some(isFile) }
  const below = yield* Effect.forEach(commands, ([name, one]) => positionsOf(one, `${path} ${name}`))
  return [own, ...below.flat()]
})

const quote = (text: string, escapedQuote = "'\\''"): string => `'${text.replaceAll("'", escapedQuote)}'`

const firstClause = (text: string): string => /^.+?(?=[.,;:](?: |$)| \()/.exec(text)?.[0] ?? text

const valueFlags = ({ flags, path }: Position) =>
  flags
    .filter(({ flag }) => flag.value !== undefined)
    .map(({ flag, names }) => ({ flag, pattern: names.map((name) => `"${path} ${name}"`).join("|") }))

const namesOf = ({ choices, commands }: Position): ReadonlyArray<string> => [
  ...commands.map(([name]) => name),
  ...choices,
]

const paths = (all: ReadonlyArray<Position>, separator: string): string =>
  all
    .slice(1)
    .map(({ path }) => `"${path}"`)
    .join(separator)

const files = `local IFS=$'\\n'; COMPREPLY+=($(compgen -f -- "$current")); `

const bash = (all: ReadonlyArray<Position>): ReadonlyArray<string> => [
  "# Completions of vigil for bash. Add to ~/.bashrc: source <(vigil completions bash)",
  "_vigil() {",
  '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}" at="vigil" word words="" files=""',
  '  if [[ $current == "=" ]]; then current=""; fi',
  '  if [[ $previous == "=" ]]; then previous="${COMP_WORDS[COMP_CWORD - 2]}"; fi',
  "  COMPREPLY=()",
  '  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do',
  `    case "$at $word" in ${paths(all, "|")}) at="$at $word" ;; esac`,
  "  done",
  '  case "$at $previous" in',
  ...all.flatMap(valueFlags).map(({ flag, pattern }) => {
    const choices = choicesOf(flag.value)
    const words = `COMPREPLY=($(compgen -W ${quote(choices.join(" "))} -- "$current")); `
    return `    ${pattern}) ${isFile(flag.value) ? files : choices.length > 0 ? words : ""}return ;;`
  }),
  "  esac",
  '  case "$at" in',
  ...all.map((position) => {
    const words = [...namesOf(position), ...position.flags.flatMap(({ names }) => names)]
    return `    "${position.path}") words=${quote(words.join(" "))}${position.hasFile ? " files=yes" : ""} ;;`
  }),
  "  esac",
  '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
  `  if [[ -n $files ]]; then ${files}fi`,
  "}",
  "complete -F _vigil vigil",
]

const entryOf = (word: string, text: string): string => quote(`${word}:${firstClause(text)}`)

const zsh = (all: ReadonlyArray<Position>): ReadonlyArray<string> => [
  "#compdef vigil",
  "# Completions of vigil for zsh. Add to ~/.zshrc, after compinit: source <(vigil completions zsh)",
  "_vigil() {",
  "  local at=vigil files= i",
  "  local -a names options",
  "  for ((i = 2; i < CURRENT; i++)); do",
  `    case "$at \${words[i]}" in (${paths(all, "|")}) at="$at \${words[i]}" ;; esac`,
  "  done",
  '  case "$at ${words[CURRENT - 1]}" in',
  ...all.flatMap(valueFlags).map(({ flag, pattern }) => {
    const choices = choicesOf(flag.value)
    const words =
      choices.length > 0
        ? `names=(${choices.join(" ")}); _describe value names`
        : `_message ${quote(flag.value?.label ?? "")}`
    return `    (${pattern}) ${isFile(flag.value) ? "_files" : words}; return ;;`
  }),
  "  esac",
  '  case "$at" in',
  ...all.map(({ choices, commands, flags, hasFile, path }) => {
    const names = [
      ...commands.map(([name, { description }]) => entryOf(name, description)),
      ...choices.map((choice) => quote(choice)),
    ]
    const options = flags.flatMap(({ flag, names }) => names.map((name) => entryOf(name, flag.description)))
    return `    ("${path}") names=(${names.join(" ")}) options=(${options.join(" ")})${hasFile ? " files=yes" : ""} ;;`
  }),
  "  esac",
  "  if [[ -n $files ]]; then _files; fi",
  "  _describe value names",
  // Offers them only after a hyphen.
  "  _describe -o option options",
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
  ...all.flatMap(({ choices, commands, flags, hasFile, path }) => {
    const here = `complete -c vigil -n '__vigil_at "${path}"'`
    const text = (description: string) => `-d ${quote(firstClause(description), "\\'")}`
    return [
      ...commands.map(([name, { description }]) => `${here} -a ${name} ${text(description)}`),
      ...(choices.length > 0 ? [`${here} -a ${quote(choices.join(" "), "\\'")}`] : []),
      ...(hasFile ? [`${here} -F`] : []),
      ...flags.map(({ flag, name, names }) => {
        const short = names.length > 1 ? [`-s ${flag.short}`] : []
        const choices = quote(choicesOf(flag.value).join(" "), "\\'")
        const values = isFile(flag.value) ? ["-r -F"] : flag.value ? [`-x -a ${choices}`] : []
        return [here, ...short, `-l ${name.slice("--".length)}`, ...values, text(flag.description)].join(" ")
      }),
    ]
  }),
]

const scripts = { bash, zsh, fish }

export const command = (root: () => Command.Command): Command.Command =>
  Command.make({
    description: "Print a completion script for a shell. A comment at its start says how to install it.",
    examples: ["vigil completions bash", "vigil completions fish"],
    flags: {},
    args: {
      shell: { ...Flag.oneOf(["bash", "zsh", "fish"], "shell"), description: "bash, zsh or fish" },
    },
    requiresSettings: false,
    run: function* ({ shell }) {
      yield* Output.data(scripts[shell](yield* positionsOf(root(), Parse.name)))
    },
  })

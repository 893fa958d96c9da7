/** Scripts that complete what is typed in a shell: commands, flags, and the values of flags where only some will do. */
import * as Manual from "./Manual.js"

/** What may follow at one place: after a command's name, or after a flag that takes a value. */
interface Place {
  readonly path: string
  readonly flags: ReadonlyArray<Manual.Flag>
  readonly commands: ReadonlyArray<Manual.Manual>
}

const places = (manual: Manual.Manual): ReadonlyArray<Place> => [
  {
    path: manual.path,
    flags: [...manual.flags, ...Manual.common, ...(Manual.depth(manual) === 0 ? Manual.own : [])],
    commands: manual.commands,
  },
  ...manual.commands.flatMap(places),
]

/** A text in single quotes; `quote` is how the shell writes one within them. */
const quoted = (text: string, quote: string): string => `'${text.replaceAll("'", quote)}'`
const posix = "'\\''"

/** As much of a text as a list of words has room for. */
const first = (text: string): string => /^.+?(?=[.;:](?: |$)| \()/.exec(text)?.[0] ?? text

const isFile = ({ value }: Manual.Flag): boolean => value === "file"

/** The patterns of a `case` for the flags, each after the path of its command. */
const after = (path: string, { names }: Manual.Flag, separator = "|"): string =>
  names.map((name) => `"${path} ${name}"`).join(separator)

const valued = ({ flags, path }: Place) =>
  flags.filter(({ value }) => value !== undefined).map((flag) => ({ path, flag }))

/** The paths that are a command's name after its group's. */
const steps = (all: ReadonlyArray<Place>, separator: string): string =>
  all
    .slice(1)
    .map(({ path }) => `"${path}"`)
    .join(separator)

const bash = (all: ReadonlyArray<Place>): ReadonlyArray<string> => [
  "# Completions of vigil for bash. Add to ~/.bashrc: source <(vigil completions bash)",
  "_vigil() {",
  '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}" at="vigil" word words=""',
  '  if [[ $current == "=" ]]; then current=""; fi',
  '  if [[ $previous == "=" ]]; then previous="${COMP_WORDS[COMP_CWORD - 2]}"; fi',
  "  COMPREPLY=()",
  '  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do',
  `    case "$at $word" in ${steps(all, "|")}) at="$at $word" ;; esac`,
  "  done",
  '  case "$at $previous" in',
  ...all.flatMap(valued).map(({ flag, path }) => {
    const reply = isFile(flag)
      ? `local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current"))`
      : `COMPREPLY=($(compgen -W ${quoted(flag.choices.join(" "), posix)} -- "$current"))`
    return `    ${after(path, flag)}) ${flag.choices.length > 0 || isFile(flag) ? `${reply}; ` : ""}return ;;`
  }),
  "  esac",
  '  case "$at" in',
  ...all.map(({ commands, flags, path }) => {
    const words = [...commands.map(({ name }) => name), ...flags.flatMap(({ names }) => names)]
    return `    "${path}") words=${quoted(words.join(" "), posix)} ;;`
  }),
  "  esac",
  '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
  "}",
  "complete -F _vigil vigil",
]

/** What `_describe` takes: a word, a colon, and what it is for. */
const described = (word: string, text: string): string => quoted(`${word}:${first(text)}`, posix)

const zsh = (all: ReadonlyArray<Place>): ReadonlyArray<string> => [
  "#compdef vigil",
  "# Completions of vigil for zsh. Add to ~/.zshrc, after compinit: source <(vigil completions zsh)",
  "_vigil() {",
  "  local at=vigil i",
  "  local -a entries",
  "  for ((i = 2; i < CURRENT; i++)); do",
  `    case "$at \${words[i]}" in (${steps(all, "|")}) at="$at \${words[i]}" ;; esac`,
  "  done",
  '  case "$at ${words[CURRENT - 1]}" in',
  ...all.flatMap(valued).map(({ flag, path }) => {
    const reply = isFile(flag)
      ? "_files"
      : flag.choices.length > 0
        ? `entries=(${flag.choices.join(" ")}); _describe value entries`
        : `_message ${quoted(flag.value ?? "", posix)}`
    return `    (${after(path, flag)}) ${reply}; return ;;`
  }),
  "  esac",
  '  case "$at" in',
  ...all.map(({ commands, flags, path }) => {
    const entries = [
      ...commands.map(({ description, name }) => described(name, description)),
      ...flags.flatMap(({ names, text }) => names.map((name) => described(name, text))),
    ]
    return `    ("${path}") entries=(${entries.join(" ")}) ;;`
  }),
  "  esac",
  "  _describe -o vigil entries",
  "}",
  'if [[ "${funcstack[1]}" == _vigil ]]; then _vigil "$@"; else compdef _vigil vigil; fi',
]

const inFish = "\\'"

const fish = (all: ReadonlyArray<Place>): ReadonlyArray<string> => [
  "# Completions of vigil for fish. Save as ~/.config/fish/completions/vigil.fish",
  "function __vigil_at",
  "  set -l at vigil",
  "  for word in (commandline -opc)[2..-1]",
  '    switch "$at $word"',
  `      case ${steps(all, " ")}`,
  '        set at "$at $word"',
  "    end",
  "  end",
  '  test "$at" = "$argv[1]"',
  "end",
  "complete -c vigil -f",
  ...all.flatMap(({ commands, flags, path }) => {
    const here = `complete -c vigil -n '__vigil_at "${path}"'`
    return [
      ...commands.map(({ description, name }) => `${here} -a ${name} -d ${quoted(first(description), inFish)}`),
      ...flags.map((flag) => {
        const names = flag.names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
        const values =
          flag.value === undefined ? [] : isFile(flag) ? ["-r -F"] : [`-x -a ${quoted(flag.choices.join(" "), inFish)}`]
        return [here, ...names, ...values, `-d ${quoted(first(flag.text), inFish)}`].join(" ")
      }),
    ]
  }),
]

/** The shells that there are scripts for. */
const shells = { bash, zsh, fish }

/** The lines of the script. */
export const script = (shell: keyof typeof shells, manual: Manual.Manual): ReadonlyArray<string> =>
  shells[shell](places(manual))

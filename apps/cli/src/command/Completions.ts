/** `vigil completions`: a script that completes commands, flags and values in a shell. */
import * as Completions from "effect/cli/Completions"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as Flag from "../flags/Flag.js"
import * as Output from "../output/Output.js"
import * as Command from "./Command.js"
import * as Parse from "./Parse.js"

const firstClause = (text: string): string => /^.+?(?=[.,;:](?: |$)| \()/.exec(text)?.[0] ?? text

const typeOf = ({ choices, label }: Flag.Value<unknown>): Completions.ArgumentType => {
  if (choices !== undefined) return { _tag: "Choice", values: choices }
  return label === "file" ? { _tag: "Path", pathType: "either" } : { _tag: "String" }
}

const flagOf = ({ flag: { description, short, value }, name }: Command.Named): Completions.FlagDescriptor => ({
  name: name.slice("--".length),
  aliases: short === undefined ? [] : [short],
  description: firstClause(description),
  type: value === undefined ? { _tag: "Boolean" } : typeOf(value),
  negation: false,
})

const argumentOf = (argument: Flag.Argument<unknown>): Completions.ArgumentDescriptor => ({
  name: argument.label,
  description: argument.description,
  required: argument.isRest !== true,
  variadic: argument.isRest === true,
  type: typeOf(argument),
})

const describe = Effect.fnUntraced(function* (
  name: string,
  command: Command.Command,
): Effect.fn.Return<Completions.CommandDescriptor> {
  const subcommands = yield* Command.load(command)
  return {
    name,
    description: firstClause(command.description),
    flags: Command.all({ ...command.flags, ...Parse.common }).map(flagOf),
    arguments: Object.values(command.args).map(argumentOf),
    subcommands: yield* Effect.forEach(subcommands, ([name, one]) => describe(name, one)),
  }
})

/** How to install the script of each shell. */
const advice = {
  bash: "bash. Add to ~/.bashrc: source <(vigil completions bash)",
  zsh: "zsh. Add to ~/.zshrc, after compinit: source <(vigil completions zsh)",
  fish: "fish. Save as ~/.config/fish/completions/vigil.fish",
  powershell: "PowerShell. Add to $PROFILE: vigil completions powershell | Out-String | Invoke-Expression",
}

/** The comment of the generator names a flag that `vigil` does not have. */
const generated = /^#\n(?:#.*\n)+/m

/** Completes the value in `--output=json`: bash splits the word at the equals sign, which the script takes for a value. */
const splitAtEquals = `
_vigil_split() {
  local word words=() index at=0
  for index in "\${!COMP_WORDS[@]}"; do
    word=\${COMP_WORDS[index]}
    if [[ $word != "=" ]]; then words+=("$word"); elif ((index == COMP_CWORD)); then words+=(""); fi
    if ((index <= COMP_CWORD)); then at=$((\${#words[@]} - 1)); fi
  done
  COMP_WORDS=("\${words[@]}") COMP_CWORD=$at COMP_LINE=\${COMP_LINE//=/ }
  _vigil "$1" "\${words[at]}" "\${words[at - 1]}"
}
complete -F _vigil_split vigil`

export const command = (root: () => Command.Command): Command.Command =>
  Command.make({
    description: "Print a completion script for a shell. A comment at its start says how to install it.",
    examples: ["vigil completions bash", "vigil completions fish"],
    flags: {},
    args: {
      shell: { ...Flag.oneOf(Struct.keys(advice), "shell"), description: "bash, zsh, fish or powershell" },
    },
    requiresSettings: false,
    run: function* ({ shell }) {
      const script = Completions.generate(Parse.name, shell, yield* describe(Parse.name, root()))
      const comment = `# Completions of vigil for ${advice[shell]}\n`
      const lines = script.replace(generated, () => comment) + (shell === "bash" ? splitAtEquals : "")
      yield* Output.data(lines.split("\n"))
    },
  })

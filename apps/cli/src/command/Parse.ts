/** Parses a command line: the command, its flags and its arguments. */
import { parseArgs } from "node:util"
import * as Suggestion from "@vigil/health-text/Suggestion"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"
import * as Secrets from "../settings/Secrets.js"
import * as Command from "./Command.js"

/** The log levels by their names on the command line. */
export const levels = {
  all: "All",
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warning: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None",
} as const

/** The name of the root command. */
export const name = "vigil"

/** Flags of every command. They may precede the command's name. */
export const common = {
  help: Flag.boolean("Show this help", "h"),
  noColor: Flag.boolean("Disable color, as with NO_COLOR in the environment"),
  debug: Flag.boolean("Log each request, as with --log-level debug"),
  logLevel: Flag.optional(Flag.oneOf(Struct.keys(levels), "level"), "Log to stderr at this level, such as info"),
}

export interface Parsed {
  readonly command: Command.Command
  /** The command as typed: `vigil events list`. */
  readonly path: string
  readonly given: Command.Given
  readonly common: Command.Values<typeof common>
}

const tokensOf = (args: ReadonlyArray<string>, flags: ReadonlyArray<Command.Named>) =>
  parseArgs({
    args: [...args],
    options: Object.fromEntries(
      flags.map(({ flag: { short, value }, name }) => [
        name.slice("--".length),
        { type: value === undefined ? "boolean" : "string", ...(short === undefined ? {} : { short }) },
      ]),
    ),
    strict: false,
    tokens: true,
    allowPositionals: true,
  }).tokens

type Token = ReturnType<typeof tokensOf>[number]
type OptionToken = Extract<Token, { readonly kind: "option" }>

const find = (flags: ReadonlyArray<Command.Named>, { rawName }: OptionToken) =>
  flags.find(({ names }) => names.includes(rawName))

const isHelp = (flags: ReadonlyArray<Command.Named>, token: Token): boolean =>
  token.kind === "option" && find(flags, token)?.key === "help"

/** Whether `-h` or `--help` precedes `--`, even in place of a value: `events list -s --help`. In `-sh`, `h` is the value of `-s`. */
const hasHelpArgument = (args: ReadonlyArray<string>): boolean =>
  Arr.takeWhile(args, (arg) => arg !== "--").some((arg) => arg === "-h" || arg === "--help")

const usageError = (path: string, message: string) => new UsageError(`${message} Run ${path} --help for usage.`)

/** Finds the command that the arguments name. `help` may replace a command's name. */
const descend = Effect.fnUntraced(function* (root: Command.Command, args: ReadonlyArray<string>) {
  const flags = Command.all({ ...common, ...root.flags })
  const tokens = tokensOf(args, flags)
  let showsHelp = hasHelpArgument(args)
  let [command, path, depth] = [root, name, 0]
  for (const token of tokens) {
    if (!Command.isGroup(command)) break
    if (isHelp(flags, token)) showsHelp = true
    if (token.kind === "option" && !showsHelp && find(flags, token) === undefined)
      return yield* usageError(
        path,
        `${path} has no flag ${token.rawName}. The flags of a command follow its name, as in vigil events list --sandbox.`,
      )
    if (token.kind !== "positional") continue
    depth += 1
    const names = Object.keys(command.commands)
    const load = names.includes(token.value) ? command.commands[token.value] : undefined
    if (load !== undefined) {
      command = (yield* Effect.promise(load)).command
      path = `${path} ${token.value}`
    } else if (token.value === "help") showsHelp = true
    else {
      const question = Suggestion.question(token.value, names, (name) => `${path} ${name}`)
      const advice = question === "" ? ` The commands are ${names.join(", ")}.` : question
      return yield* usageError(path, `Unknown command ${JSON.stringify(`${path} ${token.value}`)}.${advice}`)
    }
  }
  return { command, path, depth, showsHelp }
})

const mistakeOf = (path: string, flags: ReadonlyArray<Command.Named>, option: OptionToken, isRepeated: boolean) => {
  const found = find(flags, option)
  if (found === undefined) {
    const names = flags.map(({ name }) => name)
    return `${path} has no flag ${option.rawName}.${Suggestion.question(option.rawName, names)}`
  }
  const { isRepeatable, value } = found.flag
  if (value === undefined) return option.value === undefined ? undefined : `${found.name} takes no value.`
  if (isRepeated && !isRepeatable) return `${found.name} is repeated: pass it once.`
  // A flag in the place of a value is more likely a missing value. `--name=--value` is possible.
  const isMissing = !option.value || (!option.inlineValue && /^--?[a-z]/i.test(option.value))
  const expected = value.choices?.join(" | ") ?? label(value)
  return isMissing ? `${found.name} has no value: pass ${found.name} ${expected}.` : undefined
}

export const label = ({ label }: Flag.Value<unknown>): string => `<${label}>`

const usageOf = (argument: Flag.Argument<unknown>): string =>
  argument.isRest === true ? `[${label(argument)}...]` : label(argument)

export const usage = (path: string, args: Command.Arguments): string =>
  [path, ...Object.values(args).map(usageOf)].join(" ")

const checkArguments = (path: string, args: Command.Arguments, given: ReadonlyArray<string>) => {
  const all = Object.values(args)
  const required = all.filter(({ isRest }) => isRest !== true)
  const missing = required[given.length]
  if (missing !== undefined) return usageError(path, `${label(missing)} is missing: run ${usage(path, args)}.`)
  if (given.length === required.length || all.length > required.length) return Effect.void
  return path.startsWith("vigil auth ")
    ? Secrets.refuse(`${path} takes no arguments, and the argument may be a secret`)
    : usageError(path, `Unexpected argument ${JSON.stringify(given[required.length])}: run ${usage(path, args)}.`)
}

/** Parses the arguments of the process. Fails with a `UsageError` that says what to do. */
export const parse = Effect.fnUntraced(function* (root: Command.Command, args: ReadonlyArray<string>) {
  const { command, depth, path, showsHelp } = yield* descend(root, args)
  const named = Command.all({ ...common, ...command.flags })
  const tokens = tokensOf(args, named)
  const ignoresMistakes = showsHelp || tokens.some((token) => isHelp(named, token))
  const flags = new Map<string, ReadonlyArray<string>>()
  for (const token of tokens) {
    if (token.kind !== "option") continue
    const found = find(named, token)
    // Help ignores values, so that invalid ones do not fail.
    if (ignoresMistakes && found?.flag.value !== undefined) continue
    const key = found?.key ?? ""
    const texts = flags.get(key) ?? []
    const mistake = ignoresMistakes ? undefined : mistakeOf(path, named, token, texts.length > 0)
    if (mistake !== undefined) return yield* usageError(path, mistake)
    const { rawName, value = "" } = token
    // `-o=json`, which `parseArgs` reads as the value `=json`.
    flags.set(key, [...texts, rawName.startsWith("--") ? value : value.replace(/^=/, "")])
  }
  const given = {
    flags,
    args: tokens.flatMap((token) => (token.kind === "positional" ? token.value : [])).slice(depth),
  }
  const values = yield* Command.readFlags(common, given)
  const help = ignoresMistakes || (Command.isGroup(command) && !flags.has("version"))
  if (!help) yield* checkArguments(path, command.args, given.args)
  return { command, path, given, common: { ...values, help } }
})

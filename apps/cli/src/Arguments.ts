/** A first look at the arguments, where `@effect/cli` would say the wrong thing or wait for an answer that can't come. */
import * as Effect from "effect/Effect"
import * as TokenArgument from "./auth/TokenArgument.js"
import { UsageError } from "./Failure.js"
import * as Manual from "./help/Manual.js"
import * as Suggestion from "./help/Suggestion.js"

/** The flags that `vigil` itself takes, and every group. */
const own = new Set([...Manual.common, ...Manual.own].flatMap(({ names }) => names))

/** The flags that ask for help, wherever they are. `help` does so in the place of a command. */
const help = new Set(["-h", "--help"])

const isFlag = (argument: string) => argument.startsWith("-")

const expectCommand = ({ commands, path }: Manual.Manual, name: string) => {
  const names = commands.map((command) => command.name)
  if (isFlag(name) || names.includes(name)) return Effect.void
  const meant = Suggestion.ask(name, names, (word) => `${path} ${word}`)
  return new UsageError({
    message: `There is no command ${JSON.stringify(`${path} ${name}`)}.${meant === "" ? ` There are ${names.join(", ")}.` : meant} Run ${path} --help to see what there is.`,
  })
}

/** No flag where a command is due: it would be taken for the command. */
const expectNoFlag = ({ path }: Manual.Manual, argument: string) =>
  isFlag(argument) && !own.has(argument.replace(/=.*/s, ""))
    ? new UsageError({
        message: `${path} has no flag ${argument} of its own, and the flags of a command stand after it, as in vigil events list --sandbox. Run ${path} --help.`,
      })
    : Effect.void

const expectTerminal = (args: ReadonlyArray<string>, terminal: boolean) =>
  args.includes("--wizard") && !terminal
    ? new UsageError({ message: "--wizard asks questions, and there is no terminal to answer them. Run vigil --help." })
    : Effect.void

/** The command that is named, and whether its help is asked for. */
export interface Checked {
  readonly manual: Manual.Manual
  readonly help: boolean
}

/** Goes down from a group to the command that the arguments name, and checks each name on the way. */
const descend = (manual: Manual.Manual, [next, ...rest]: ReadonlyArray<string>): Effect.Effect<Checked, UsageError> =>
  Effect.gen(function* () {
    if (manual.commands.length === 0 || next === undefined) return { manual, help: false }
    if (next === "help") return { ...(yield* descend(manual, rest)), help: true }
    yield* expectNoFlag(manual, next)
    yield* expectCommand(manual, next)
    const command = manual.commands.find(({ name }) => name === next)
    return command === undefined ? { manual, help: false } : yield* descend(command, rest)
  })

/**
 * What the arguments ask for. A request for help, wherever it stands, is for the command that is named; a group alone asks for its help.
 * Fails with a `UsageError` where a name is no command's.
 */
export const check = (
  root: Manual.Manual,
  args: ReadonlyArray<string>,
  terminal: boolean,
): Effect.Effect<Checked, UsageError> =>
  Effect.gen(function* () {
    yield* TokenArgument.refuseSecrets(args)
    yield* expectTerminal(args, terminal)
    const rest = args.filter((argument) => !help.has(argument))
    const { help: isAsked, manual } = yield* descend(root, rest)
    const isAlone = manual.commands.length > 0 && rest.length === Manual.depth(manual)
    return { manual, help: isAsked || isAlone || rest.length < args.length }
  })

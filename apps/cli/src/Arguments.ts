/** A first look at the arguments, where `@effect/cli` would say the wrong thing or wait for an answer that can't come. */
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import { UsageError } from "./Failure.js"

/** What a command is called, and what is called under it. */
interface Named {
  readonly descriptor: CommandDescriptor.Command<unknown>
}

/** The flags that `vigil` itself takes. */
const own = new Set(["-h", "--help", "--version", "--completions", "--log-level", "--wizard"])

const help = new Set(["-h", "--help"])

const namesUnder = ({ descriptor }: Named): ReadonlyArray<string> =>
  Array.from(HashMap.keys(CommandDescriptor.getSubcommands(descriptor))).toSorted()

const isFlag = (argument: string) => argument.startsWith("-")

const expectCommand = (path: string, name: string | undefined, names: ReadonlyArray<string>) =>
  name === undefined || isFlag(name) || names.includes(name)
    ? Effect.void
    : new UsageError({
        message: `There is no command ${JSON.stringify(`${path} ${name}`)}. Try ${names.map((known) => `${path} ${known}`).join(" or ")}, or ${path} --help.`,
      })

/** No flag where a command is due: it would be taken for the command. */
const expectNoFlag = (path: string, argument: string | undefined) =>
  argument !== undefined && isFlag(argument) && !own.has(argument.replace(/=.*/, ""))
    ? new UsageError({
        message: `${path} has no flag ${argument} of its own, and the flags of a command stand after it, as in vigil events list --sandbox. Run ${path} --help.`,
      })
    : Effect.void

const expectTerminal = (args: ReadonlyArray<string>, terminal: boolean) =>
  args.includes("--wizard") && !terminal
    ? new UsageError({ message: "--wizard asks questions, and there is no terminal to answer them. Run vigil --help." })
    : Effect.void

/**
 * The arguments to go on with: a request for help, wherever it stands, is for the command that is named. Fails with a
 * `UsageError` when the first argument names no group, or the second no command of the group.
 */
export const check = (
  groups: Readonly<Record<string, Named>>,
  args: ReadonlyArray<string>,
  terminal: boolean,
): Effect.Effect<ReadonlyArray<string>, UsageError> =>
  Effect.gen(function* () {
    const [first, second] = args
    yield* expectTerminal(args, terminal)
    yield* expectNoFlag("vigil", first)
    yield* expectCommand("vigil", first, Object.keys(groups).toSorted())
    const group = first === undefined ? undefined : groups[first]
    if (group !== undefined) {
      yield* expectNoFlag(`vigil ${first}`, second)
      yield* expectCommand(`vigil ${first}`, second, namesUnder(group))
    }
    const named = args.slice(0, 2).filter((argument) => !isFlag(argument))
    return args.some((argument) => help.has(argument)) ? [...named, "--help"] : args
  })

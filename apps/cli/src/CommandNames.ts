/** Says which name is no command, where `@effect/cli` would name the wrong place. */
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import { UsageError } from "./Failure.js"

/** What a command is called, and what is called under it. */
interface Named {
  readonly descriptor: CommandDescriptor.Command<unknown>
}

const namesUnder = ({ descriptor }: Named): ReadonlyArray<string> =>
  Array.from(HashMap.keys(CommandDescriptor.getSubcommands(descriptor))).toSorted()

const expect = (path: string, name: string | undefined, names: ReadonlyArray<string>) =>
  name === undefined || name.startsWith("-") || names.includes(name)
    ? Effect.void
    : new UsageError({
        message: `There is no command ${JSON.stringify(`${path} ${name}`)}. Try ${names.map((known) => `${path} ${known}`).join(" or ")}, or ${path} --help.`,
      })

/** Fails with a `UsageError` when the first argument names no group, or the second no command of the group. */
export const check = (groups: Readonly<Record<string, Named>>, args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const [first, second] = args
    yield* expect("vigil", first, Object.keys(groups).toSorted())
    const group = first === undefined ? undefined : groups[first]
    if (group !== undefined) yield* expect(`vigil ${first}`, second, namesUnder(group))
  })

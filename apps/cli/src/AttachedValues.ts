/** Short flags with their value attached, `-ojson` or `-o=json`: `@effect/cli` ignores them silently. */
import * as Effect from "effect/Effect"
import { UsageError } from "./Failure.js"
import type * as Manual from "./help/Manual.js"

const isAttached = (argument: string): boolean => /^-[^-]./s.test(argument)

/** The flag and its value as two arguments. Fails with a `UsageError` if the flag is unknown or takes no value. */
const split = ({ flags, path }: Manual.Manual, argument: string) => {
  const name = argument.slice(0, 2)
  const flag = flags.find(({ names }) => names.includes(name))
  return flag?.value === undefined
    ? new UsageError({ message: `${path} has no flag ${argument}. Run ${path} --help to see what there is.` })
    : Effect.succeed([name, argument.slice(2).replace(/^=/, "")])
}

/** Splits such arguments, up to a `--`. The value of another flag stays as it is. */
export const separate = (
  manual: Manual.Manual,
  args: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<string>, UsageError> => {
  // Most lines have none, and then the manual need not be read.
  if (!args.some(isAttached)) return Effect.succeed(args)
  const end = args.includes("--") ? args.indexOf("--") : args.length
  const takesValue = (argument: string | undefined) =>
    manual.flags.some(({ names, value }) => value !== undefined && names.some((name) => name === argument))
  return Effect.map(
    Effect.forEach(args, (argument, index) =>
      index < end && isAttached(argument) && !takesValue(args[index - 1])
        ? split(manual, argument)
        : Effect.succeed([argument]),
    ),
    (all) => all.flat(),
  )
}

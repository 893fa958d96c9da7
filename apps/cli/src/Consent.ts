/** Leave to do what can't be undone: a typed answer, or a flag given beforehand. */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { Incomplete, UsageError } from "./Failure.js"
import { Input, type InputError } from "./Input.js"
import { Output } from "./output/Output.js"

/** The flags of every command that changes something. */
export const flags = {
  yes: Options.boolean("yes").pipe(
    Options.withAlias("y"),
    Options.withDescription("Go on without a question. Needed where there is no terminal to ask on."),
  ),
  dryRun: Options.boolean("dry-run").pipe(Options.withDescription("Show what would be done, and send nothing.")),
}

/**
 * Says what will be done, and waits for a typed `yes`, unless it was given beforehand. Fails with a `UsageError` where nobody can be
 * asked, with `Incomplete` on any other answer: nothing was sent then.
 */
export const ask = (
  plan: string,
  { yes }: { readonly yes: boolean },
): Effect.Effect<void, Incomplete | InputError | UsageError, Input | Output> =>
  Effect.gen(function* () {
    const { note } = yield* Output
    const { ask, isInteractive } = yield* Input
    if (!yes && !isInteractive)
      return yield* new UsageError({
        message: `Nothing was sent, as there is no terminal to ask on: ${plan} Give --yes to go on without a question, or --dry-run to only look.`,
      })
    yield* note(plan)
    if (yes) return
    const answer = (yield* ask("Type yes to go on: ")) ?? ""
    if (answer.trim().toLowerCase() !== "yes")
      return yield* new Incomplete({ message: "Nothing was sent, as the answer was not yes." })
  })

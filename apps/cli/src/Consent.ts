/** Confirmation before a command changes data. */
import * as Effect from "effect/Effect"
import { Incomplete, UsageError } from "./Failure.js"
import * as Flag from "./Flag.js"
import { Input, type InputError } from "./Input.js"
import { Output } from "./output/Output.js"

/** Flags of every command that changes data. */
export const flags = {
  yes: Flag.boolean("Do not ask for confirmation; needed without a terminal", "y"),
  dryRun: Flag.boolean("Print what would be done, and send nothing"),
}

/**
 * Prints the plan and waits for a typed `yes`, unless `yes` is set. Fails with `UsageError` without a terminal, and with `Incomplete` on
 * any other input.
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
        message: `Nothing was sent, as there is no terminal to ask on: ${plan} Pass --yes to skip the question, or --dry-run to print what would be done.`,
      })
    yield* note(plan)
    if (yes) return
    const answer = (yield* ask("Type yes to go on: ")) ?? ""
    if (answer.trim().toLowerCase() !== "yes")
      return yield* new Incomplete({ message: "Nothing was sent, as the answer was not yes." })
  })

/** Confirmation before a command changes data. */
import * as Effect from "effect/Effect"
import { Incomplete, UsageError } from "./Failure.js"
import * as Flag from "./Flag.js"
import { Input } from "./Input.js"
import * as Output from "./output/Output.js"

export const flags = {
  yes: Flag.boolean("Do not ask for confirmation; required without a terminal", "y"),
  dryRun: Flag.boolean("Print the request without sending it"),
}

/**
 * Prints the plan and waits for a typed `yes`, unless `yes` is set. Fails with `UsageError` without a terminal, and with `Incomplete`
 * on any other input.
 */
export const require = (plan: string, { yes }: { readonly yes: boolean }) =>
  Effect.gen(function* () {
    const { ask, isInteractive } = yield* Input
    if (!yes && !isInteractive)
      return yield* new UsageError(
        `Nothing was sent: confirmation requires a terminal. ${plan} Pass --yes to confirm, or --dry-run to print the request.`,
      )
    yield* Output.note(plan)
    if (yes) return
    const answer = (yield* ask("Type yes to continue: ")) ?? ""
    if (answer.trim().toLowerCase() !== "yes")
      return yield* new Incomplete({ message: "Nothing was sent: the answer was not yes." })
  })

/** Confirmation before a command changes data. */
import * as Effect from "effect/Effect"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"
import * as Output from "../output/Output.js"
import { CommandError } from "./CommandError.js"
import { Input } from "./Input.js"

export const flags = {
  yes: Flag.boolean("Do not ask for confirmation; required without a terminal", "y"),
  dryRun: Flag.boolean("Show what would be done, and send nothing"),
}

interface Options {
  readonly yes: boolean
  /** The flag that sets `yes`. Default: `--yes`. */
  readonly flag?: string
  /** What a confirmation does. Default: `sent`. */
  readonly done?: string
  /** What to pass instead. Default: `--dry-run to see what would be done`. */
  readonly preview?: string
}

/**
 * Prints the plan and waits for a typed `yes`, unless `yes` is set. Fails with `UsageError` without a terminal, and with `CommandError`
 * on any other input.
 */
export const require = Effect.fnUntraced(function* (
  plan: string,
  { done = "sent", flag = "--yes", preview = "--dry-run to see what would be done", yes }: Options,
) {
  const { ask, isInteractive } = yield* Input
  if (!yes && !isInteractive)
    return yield* new UsageError(
      `Nothing was ${done}: confirmation requires a terminal. ${plan} Pass ${flag} to confirm, or ${preview}.`,
    )
  yield* Output.note(plan)
  if (yes) return
  const answer = (yield* ask("Type yes to continue: ")) ?? ""
  if (answer.trim().toLowerCase() !== "yes")
    return yield* new CommandError("incomplete", `Nothing was ${done}: the answer was not yes.`)
})

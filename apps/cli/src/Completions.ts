/** `vigil completions`: a script that completes commands and flags in a shell. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { UsageError } from "./Failure.js"
import * as Completions from "./help/Completions.js"
import type * as Manual from "./help/Manual.js"
import { Output } from "./output/Output.js"

const shell = Args.text({ name: "shell" }).pipe(Args.withDescription("bash, zsh or fish."))

/** The command. What it completes is `manual`: of all commands, this one among them. */
export const command = (manual: () => Manual.Manual) =>
  Command.make("completions", { shell }, ({ shell }) =>
    Effect.gen(function* () {
      const { data } = yield* Output
      if (shell !== "bash" && shell !== "zsh" && shell !== "fish")
        return yield* new UsageError({
          message: `There are no completions for ${JSON.stringify(shell)}: give bash, zsh or fish.`,
        })
      yield* data(Completions.script(shell, manual()))
    }),
  ).pipe(
    Command.withDescription(
      "Print a script that completes commands and flags in bash, zsh or fish; its first lines say where it goes.",
    ),
  )

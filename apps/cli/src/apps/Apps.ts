/** `vigil apps`: app management. */
import * as Command from "@effect/cli/Command"
import * as Whoami from "./Whoami.js"

/** The command with its subcommands. */
export const command = Command.make("apps").pipe(
  Command.withDescription("App management."),
  Command.withSubcommands([Whoami.command]),
)

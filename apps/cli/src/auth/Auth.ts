/** `vigil auth`: signing in and out. */
import * as Command from "@effect/cli/Command"
import * as Login from "./Login.js"
import * as Logout from "./Logout.js"
import * as Status from "./Status.js"

/** The command with its subcommands. */
export const command = Command.make("auth").pipe(
  Command.withDescription("Signing in and out."),
  Command.withSubcommands([Login.command, Status.command, Logout.command]),
)

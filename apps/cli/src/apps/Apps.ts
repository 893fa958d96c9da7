/** `vigil apps`: app management. */
import * as Command from "@effect/cli/Command"
import * as List from "./List.js"
import * as RemoveUser from "./RemoveUser.js"
import * as Request from "./Request.js"
import * as Url from "./Url.js"
import * as Whoami from "./Whoami.js"

/** The command with its subcommands. */
export const command = Command.make("apps").pipe(
  Command.withDescription("App management."),
  Command.withSubcommands([Whoami.command, List.command, Url.command, RemoveUser.command, Request.command]),
)

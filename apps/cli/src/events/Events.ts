/** `vigil events`: service health events. */
import * as Command from "@effect/cli/Command"
import * as Details from "./Details.js"
import * as List from "./List.js"
import * as Report from "./Report.js"
import * as Show from "./Show.js"
import * as Sweep from "./Sweep.js"
import * as Timeline from "./Timeline.js"
import * as Watch from "./Watch.js"

/** The command with its subcommands. */
export const command = Command.make("events").pipe(
  Command.withDescription("Service health events."),
  Command.withSubcommands([
    List.command,
    Show.command,
    Details.command,
    Watch.command,
    Sweep.command,
    Report.command,
    Timeline.command,
  ]),
)

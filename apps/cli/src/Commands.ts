/** All commands. To add one, import it and list it here. */
import * as AppsList from "./apps/List.js"
import * as RemoveUser from "./apps/RemoveUser.js"
import * as Url from "./apps/Url.js"
import * as Whoami from "./apps/Whoami.js"
import * as Login from "./auth/Login.js"
import * as Logout from "./auth/Logout.js"
import * as Status from "./auth/Status.js"
import * as Command from "./Command.js"
import * as Completions from "./Completions.js"
import * as Doctor from "./doctor/Doctor.js"
import * as Availability from "./events/Availability.js"
import * as EventsList from "./events/List.js"
import * as Report from "./events/Report.js"
import * as Resources from "./events/Resources.js"
import * as Show from "./events/Show.js"
import * as Timeline from "./events/Timeline.js"
import * as Watch from "./events/Watch.js"
import * as Flag from "./Flag.js"
import * as FleetChange from "./fleet/Change.js"
import * as FleetDeadLetters from "./fleet/DeadLetters.js"
import * as FleetRun from "./fleet/Run.js"
import * as FleetStatus from "./fleet/Status.js"
import * as Check from "./notify/Check.js"
import * as DeadLetters from "./notify/DeadLetters.js"
import * as Test from "./notify/Test.js"
import * as Sandbox from "./Sandbox.js"
import * as Serve from "./serve/Serve.js"

export const root: Command.Command = Command.group({
  name: "vigil",
  description: "Service health events and app management on the command line.",
  examples: [
    "vigil events list --sandbox",
    "vigil apps list --sandbox",
    "vigil doctor --sandbox",
    "vigil sandbox --port 8080",
  ],
  flags: { version: Flag.boolean("Show the version") },
  commands: [
    Command.group({
      name: "events",
      description: "Service health events.",
      examples: ["vigil events list --sandbox", "vigil events show D5VD-GHJ --sandbox"],
      commands: [
        EventsList.command,
        Show.command,
        Resources.command,
        Watch.command,
        Report.command,
        Timeline.command,
        Availability.command,
      ],
    }),
    Command.group({
      name: "apps",
      description: "App management.",
      examples: ["vigil apps whoami --sandbox", "vigil apps list --sandbox"],
      commands: [Whoami.command, AppsList.command, Url.command, RemoveUser.command],
    }),
    Command.group({
      name: "notify",
      description: "Check and test notifications, and manage their dead letters.",
      examples: ["vigil notify check routes.yaml --sandbox"],
      commands: [Check.command, Test.command, DeadLetters.command],
    }),
    Command.group({
      name: "fleet",
      description: "Watch thousands of subscriptions on several machines that share a Postgres database.",
      examples: ["vigil fleet run --sandbox", "vigil fleet status"],
      commands: [
        FleetRun.command,
        FleetStatus.command,
        FleetChange.add,
        FleetChange.remove,
        FleetChange.pause,
        FleetChange.resume,
        FleetDeadLetters.command,
      ],
    }),
    Command.group({
      name: "auth",
      description: "Sign in and out.",
      examples: ["vigil auth login --sandbox", "vigil auth status --sandbox"],
      commands: [Login.command, Status.command, Logout.command],
    }),
    Serve.command,
    Doctor.command,
    Sandbox.command,
    Completions.command(() => root),
  ],
})

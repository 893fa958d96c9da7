/** `vigil sandbox`: serves both APIs until it is stopped, and says how to point the command at them. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"

const port = Options.integer("port").pipe(
  Options.withDescription("The port, on this machine only. Default: one that is free."),
  Options.withPseudoName("number"),
  Options.withDefault(0),
)

const seed = Options.integer("seed").pipe(
  Options.withDescription("Which world, and which accounts: the same seed makes the same. Default: 1."),
  Options.withPseudoName("number"),
  Options.withDefault(1),
)

const cors = Options.boolean("cors").pipe(
  Options.withDescription("Let pages of any origin ask both APIs from a browser."),
)

const fault = Options.text("fault").pipe(
  Options.withDescription("Serve this fault in place of health events; list shows their names."),
  Options.withPseudoName("name"),
  Options.optional,
)

/** The command. */
export const command = Command.make("sandbox", { port, seed, cors, fault }, (flags) =>
  Effect.flatMap(
    Effect.promise(() => import("./SandboxRun.js")),
    ({ run }) => run(flags),
  ),
).pipe(
  Command.withDescription(
    "Serve both APIs on this machine until it is stopped, and print how to point vigil and its packages at them.",
  ),
)

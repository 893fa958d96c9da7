/** The process: arguments in, exit code out. It runs when it is loaded. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Cli from "./Cli.js"
import * as Failure from "./Failure.js"
import * as Input from "./Input.js"
import * as Output from "./output/Output.js"

let ended: keyof typeof Failure.interrupted = "SIGINT"
process.once("SIGTERM", () => {
  ended = "SIGTERM"
})

NodeRuntime.runMain(Effect.provide(Cli.run(process.argv.slice(2)), [Input.layer, Output.layer]), {
  disableErrorReporting: true,
  disablePrettyLogger: true,
  // A run never fails: what is not an exit code is an interruption.
  teardown: (exit, onExit) =>
    onExit(Exit.isSuccess(exit) && typeof exit.value === "number" ? exit.value : Failure.interrupted[ended]),
})

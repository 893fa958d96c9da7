/** Runs the command in this process when the module is loaded. */
import { writeSync } from "node:fs"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Cli from "./Cli.js"
import * as Defect from "./output/Defect.js"
import * as Failure from "./command/Failure.js"
import * as Input from "./command/Input.js"
import * as Output from "./output/Output.js"

let signal: keyof typeof Failure.interrupted | "SIGHUP" = "SIGINT"
process.once("SIGTERM", () => {
  if (signal === "SIGINT") signal = "SIGTERM"
})
// The runtime interrupts the command on SIGINT and SIGTERM only.
process.once("SIGHUP", () => {
  signal = "SIGHUP"
  process.emit("SIGTERM")
})

// Node.js would print the message, and the code that threw. After an exception in a callback, the program cannot go on.
process.once("uncaughtException", (error) => {
  writeSync(process.stderr.fd, `vigil: ${Defect.make(error).message}\n`)
  process.exit(Failure.exits.defect)
})

let interrupted = Failure.interrupted
// A server that is stopped has succeeded.
const onServer = () => {
  interrupted = { SIGINT: 0, SIGTERM: 0 }
}

NodeRuntime.runMain(Effect.provide(Cli.run(process.argv.slice(2), onServer), [Input.layer, Output.layer]), {
  disableErrorReporting: true,
  teardown: (exit, onExit) => {
    // Node aborts if it exits after its terminal was closed, so the signal ends the process once the command has cleaned up.
    if (signal === "SIGHUP") process.kill(process.pid, signal)
    // A run never fails: without an exit code, it was interrupted.
    else onExit(Exit.isSuccess(exit) && typeof exit.value === "number" ? exit.value : interrupted[signal])
  },
})

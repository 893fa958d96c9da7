/** The Azure CLI, `az`: how to run it, and what it says about a failure. */
import * as SafeText from "@vigil/health-text/SafeText"
import * as TerminalText from "@vigil/health-text/TerminalText"
import type { Argv } from "../settings/Argv.js"
import type * as Program from "./Program.js"

/** On Windows, `az` is a script, which only a shell can run. */
const az: Argv = process.platform === "win32" ? ["cmd", "/d", "/c", "az"] : ["az"]

export const argv = (...args: ReadonlyArray<string>): Argv => [...az, ...args]

export const isAzureCli = (argv: Argv): boolean => az.every((word, index) => argv[index] === word)

/** In UTF-16 code units. */
const maxLength = 300

/** The error that `az` prints, else its warning, in one line. Other programs may print secrets. */
export const sentence = (outcome: Program.Outcome): string | undefined => {
  const lines = outcome._tag === "Exited" ? outcome.stderr.split("\n").map((line) => TerminalText.line(line)) : []
  for (const level of ["ERROR: ", "WARNING: "]) {
    const start = lines.findIndex((line) => line.startsWith(level))
    const text = start < 0 ? "" : lines.slice(start).join(" ").slice(level.length).trim()
    if (text !== "") return SafeText.cut(/[.!?]$/.test(text) ? text : `${text}.`, maxLength)
  }
  return undefined
}

/** Answers that need nothing of the command but a text: loading the rest takes several times as long. */
import { writeSync } from "node:fs"
import { version } from "./Version.js"

const stdout = 1

/** Nothing is told of what could not be written: the rest of the command meets it again, and knows the words. */
const print = (text: string): boolean => {
  try {
    return writeSync(stdout, text) === Buffer.byteLength(text)
  } catch {
    return false
  }
}

/** Answers `--version` alone. False when it did not: then the arguments are for the rest of the command. */
export const answer = ([argument, ...others]: ReadonlyArray<string>): boolean =>
  argument === "--version" && others.length === 0 && print(`${version}\n`)

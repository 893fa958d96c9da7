/** Answers that need nothing of the command but a text: loading the rest takes several times as long. */
import { readFileSync, writeSync } from "node:fs"
import { isatty } from "node:tty"
import { version } from "./Version.js"

const stdout = 1

/** The help of `vigil` itself, which the bundle has as it prints it where no terminal is: there it has one width, and no colour. */
const help = (): string | undefined =>
  isatty(stdout) ? undefined : readFileSync(new URL("help.txt", import.meta.url), "utf8")

const texts: ReadonlyMap<string | undefined, () => string | undefined> = new Map([
  ["--version", () => `${version}\n`],
  ["version", () => `${version}\n`],
  ["--help", help],
])

/**
 * Answers `--version` or `--help` alone. False when it did not: then the arguments are for the rest of the command, which also knows the
 * words for what could not be written.
 */
export const answer = ([argument, ...others]: ReadonlyArray<string>): boolean => {
  if (others.length > 0) return false
  try {
    const text = texts.get(argument)?.()
    return text !== undefined && writeSync(stdout, text) === Buffer.byteLength(text)
  } catch {
    return false
  }
}

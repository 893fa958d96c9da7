#!/usr/bin/env node
/** The start of the process. Answers `--version` and `--help` without loading the rest, which takes several times as long. */
import { readFileSync, writeSync } from "node:fs"
import { isatty } from "node:tty"
import { version } from "./Version.js"

const stdout = 1

/** The help of `vigil`, which the build saves. Without a terminal, it has one width and no color. */
const help = () => (isatty(stdout) ? undefined : readFileSync(new URL("help.txt", import.meta.url), "utf8"))

const texts = new Map([
  ["--version", () => `${version}\n`],
  ["version", () => `${version}\n`],
  ["--help", help],
])

/** Whether the text was written whole. If not, the rest of the command answers, and explains the failure. */
const isAnswered = ([argument = "", ...others]: ReadonlyArray<string>): boolean => {
  try {
    const text = others.length === 0 ? texts.get(argument)?.() : undefined
    return text !== undefined && writeSync(stdout, text) === Buffer.byteLength(text)
  } catch {
    return false
  }
}

if (!isAnswered(process.argv.slice(2))) await import("./Process.js")

#!/usr/bin/env node
/**
 * The entry point. Refuses an older Node.js, and prints `--version` and `--help`, without loading the rest, which takes several times as long.
 */
import { readFileSync, writeSync } from "node:fs"
import module from "node:module"
import { isatty } from "node:tty"
import { fileURLToPath } from "node:url"
import { node, version } from "./command/Version.js"

const stdout = 1
const stderr = 2

/** The help that the build saved. On a terminal, help depends on the width and has color. */
const help = () => (isatty(stdout) ? undefined : readFileSync(new URL("help.txt", import.meta.url), "utf8"))

const texts = new Map([
  ["--version", () => `${version}\n`],
  ["--help", help],
])

/** Returns false if the text was not written completely: then the full program runs and reports the error. */
const printed = ([argument = "", ...others]: ReadonlyArray<string>): boolean => {
  try {
    const text = others.length === 0 ? texts.get(argument)?.() : undefined
    return text !== undefined && writeSync(stdout, text) === Buffer.byteLength(text)
  } catch {
    return false
  }
}

const parts = (version: string): ReadonlyArray<number> => version.split(".").map(Number)

const isOlder = (one: string, other: string): boolean => {
  const [[major = 0, minor = 0], [otherMajor = 0, otherMinor = 0]] = [parts(one), parts(other)]
  return major < otherMajor || (major === otherMajor && minor < otherMinor)
}

if (isOlder(process.versions.node, node)) {
  writeSync(stderr, `vigil: This is Node.js ${process.versions.node}. Install ${node} or newer: https://nodejs.org\n`)
  process.exit(2)
}

if (!printed(process.argv.slice(2))) {
  // Saves a sixth of the start (`pnpm bench goals`). Other users could write code to Node's default folder, which is for temporary files. Users
  // who can write to this one can change the program itself. Node ignores a folder that is not writable. Deno has no such function.
  module.enableCompileCache?.(fileURLToPath(new URL("../node_modules/.cache", import.meta.url)))
  await import("./Process.js")
}

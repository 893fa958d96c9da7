/** Environment variables, and the user's folders (XDG Base Directory Specification, or those of Windows). */
import { homedir } from "node:os"
import { isAbsolute, join, parse } from "node:path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { UsageError } from "../flags/UsageError.js"
import type * as Secrets from "./Secrets.js"

/** The value of a variable. An empty one is ignored. */
export const text = (name: string): Effect.Effect<string | undefined> =>
  Effect.map(Effect.orDie(Config.option(Config.NonEmptyString(name))), Option.getOrUndefined)

/** The value of a variable that contains a secret. */
export const secret = (name: Secrets.Variable): Effect.Effect<Redacted.Redacted | undefined> =>
  Effect.map(text(name), (value) => (value === undefined ? undefined : Redacted.make(value)))

const on = ["1", "true", "yes", "on"]
const off = ["0", "false", "no", "off"]

/** Returns whether the value of a boolean variable is on. Fails with `UsageError` if it is not a boolean. */
export const parseBoolean = (name: string, value: string): Effect.Effect<boolean, UsageError> => {
  const set = value.toLowerCase()
  return [...on, ...off].includes(set)
    ? Effect.succeed(on.includes(set))
    : new UsageError(`${name} is not a boolean: set it to ${on.join(", ")}, or ${off.join(", ")}.`)
}

/** Whether a boolean variable is on. Fails with `UsageError` if it is not a boolean. */
export const isOn = (name: string): Effect.Effect<boolean, UsageError> =>
  Effect.flatMap(text(name), (value = "0") => parseBoolean(name, value))

/** The user's home folder, or the root folder for a user without one, such as a dynamic user of systemd. */
export const home = (): string => {
  const root = parse(process.execPath).root
  try {
    const folder = homedir()
    // An empty HOME would make every file relative to the working folder.
    return isAbsolute(folder) ? folder : root
  } catch {
    return root
  }
}

/** A relative path is ignored (XDG Base Directory Specification, "Environment variables"). */
const named = (variable: string, ...usual: ReadonlyArray<string>): Effect.Effect<string> =>
  Effect.map(text(variable), (value = "") => (isAbsolute(value) ? value : join(home(), ...usual)))

const onWindows = process.platform === "win32"

const folder = (windows: Effect.Effect<string>, others: Effect.Effect<string>): Effect.Effect<string> =>
  Effect.map(onWindows ? windows : others, (path) => join(path, "vigil"))

export const configFolder = folder(named("APPDATA", "AppData", "Roaming"), named("XDG_CONFIG_HOME", ".config"))

export const dataFolder = folder(named("LOCALAPPDATA", "AppData", "Local"), named("XDG_DATA_HOME", ".local", "share"))

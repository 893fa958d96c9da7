/** Where a user's own files are: the folders of the XDG Base Directory Specification, or those of Windows. */
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Environment from "./Environment.js"

/** The folder of a variable; a relative path is none (XDG Base Directory Specification, "Environment variables"). */
const named = (variable: string, ...usual: ReadonlyArray<string>): Effect.Effect<string> =>
  Effect.map(Environment.text(variable), (value) =>
    Option.getOrElse(Option.filter(value, isAbsolute), () => join(homedir(), ...usual)),
  )

const onWindows = process.platform === "win32"

const folder = (windows: Effect.Effect<string>, others: Effect.Effect<string>): Effect.Effect<string> =>
  Effect.map(onWindows ? windows : others, (path) => join(path, "vigil"))

/** Where settings are. */
export const config = folder(named("APPDATA", "AppData", "Roaming"), named("XDG_CONFIG_HOME", ".config"))

/** Where what the command keeps is. */
export const data = folder(named("LOCALAPPDATA", "AppData", "Local"), named("XDG_DATA_HOME", ".local", "share"))

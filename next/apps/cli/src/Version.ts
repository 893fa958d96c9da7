/** The version. This module imports nothing else, so that printing it is fast. */
import { readFileSync } from "node:fs"

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly version: string
}

export const version: string = manifest.version

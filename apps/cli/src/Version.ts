/** The version, which is printed without loading anything else. */
import { readFileSync } from "node:fs"

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly version: string
}

/** The version of the manifest, which is in the folder above the bundle. */
export const version: string = manifest.version

/** Which version of the command this is. */
import { readFileSync } from "node:fs"

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly version: string
}

/** That of the manifest, which is right above the bundle. */
export const version: string = manifest.version

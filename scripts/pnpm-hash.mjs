/**
 * Downloads the pnpm of `packageManager` and compares it with the hash there: npx, which runs it, does not. Workflows run this before
 * anything of pnpm; npx then takes the same file from npm's cache.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { scratch } from "./copy.mjs"
import { packageManager, run } from "./workspace.mjs"

const { hash, spec } = packageManager
if (hash === undefined) throw new Error("packageManager in package.json has no +sha512 hash.")

const folder = scratch("pnpm")
const { printed, status, stdout } = run("npm", [
  "pack",
  spec,
  "--json",
  "--prefer-offline",
  "--pack-destination",
  folder,
])
if (status !== 0) throw new Error(`Could not download ${spec}:\n${printed}`)

const [{ filename }] = JSON.parse(stdout)
const actual = createHash("sha512")
  .update(readFileSync(join(folder, filename)))
  .digest("hex")
if (actual !== hash) throw new Error(`${spec} has another hash than packageManager in package.json: ${actual}`)
console.log(`${spec} has the pinned hash`)

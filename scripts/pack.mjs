/** `npm run tarballs`: builds the published packages and packs each to `tarballs/`, named without its version, to install elsewhere. */
import { mkdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { pack } from "./tarballs.mjs"
import { pnpm, root } from "./workspace.mjs"

const built = pnpm(["run", "build", "--output-logs=errors-only"], { quiet: false })
if (built.status !== 0) process.exit(built.status)

const folder = join(root, "tarballs")
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const { manifest, tarball } of pack(folder)) {
  const name = `${manifest.name.slice(1).replace("/", "-")}.tgz`
  renameSync(tarball, join(folder, name))
  console.log(`tarballs/${name}`)
}

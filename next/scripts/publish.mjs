/**
 * `node scripts/publish.mjs FOLDER`: publishes each tarball of a folder to npm, unless its version is published. Arguments after the
 * folder go to npm, such as `--otp=123456`. Runs with Node and npm alone: the workflow runs it in a job that installs nothing.
 */
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join, resolve } from "node:path"

const [folder, ...more] = process.argv.slice(2)
const read = (command, ...args) => spawnSync(command, args, { encoding: "utf8", shell: process.platform === "win32" })

const tarballs = readdirSync(folder).filter((name) => name.endsWith(".tgz"))
if (tarballs.length === 0) throw new Error(`No tarballs found in ${folder}.`)

for (const tarball of tarballs.map((name) => resolve(join(folder, name)))) {
  const { name, version } = JSON.parse(read("tar", "-xOf", tarball, "package/package.json").stdout)
  const released = `${name}@${version}`
  if (read("npm", "view", released, "version").stdout.trim() === version) {
    console.log(`${released} is published already`)
    continue
  }
  // A tarball has no scripts to run here.
  const args = ["publish", tarball, "--access", "public", "--ignore-scripts", ...more]
  const { status } = spawnSync("npm", args, { stdio: "inherit", shell: process.platform === "win32" })
  if (status !== 0) process.exit(status ?? 1)
}

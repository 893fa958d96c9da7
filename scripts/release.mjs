/**
 * `pnpm release` builds and packs the packages, publishes new versions and tags them. Other arguments go to npm: `--otp=123456`.
 * `pnpm release version` writes versions and changelogs. `pnpm release snapshot` publishes pending changes under the tag `snapshot`.
 * `pnpm release tarballs` only builds and packs, to `tarballs/`; `pnpm release pack` packs an earlier build. `pnpm release --dry-run` rehearses a
 * release with a local registry.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commandVersion, pack, pnpm, root } from "./workspace.mjs"

/** Runs pnpm in the terminal: npm may ask for a one-time password. */
const step = (...args) => {
  const { status } = pnpm(args, { quiet: false })
  if (status !== 0) process.exit(status)
}
const build = () => {
  // A build restored from the cache does not remove the chunks of earlier builds, which would then be published.
  rmSync(join(root, "apps/cli/dist"), { recursive: true, force: true })
  step("exec", "turbo", "run", "build", "--output-logs=errors-only")
}

const packAll = () => {
  const folder = join(root, "tarballs")
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const { manifest } of pack(folder)) console.log(`Packed ${manifest.name}`)
}
const tarballs = () => {
  build()
  packAll()
}

/** Writes the version of the command into what names its image. */
const tagImages = () => {
  const version = commandVersion()
  for (const name of ["serve/deployment", "fleet/deployment", "example/kustomization"]) {
    const file = join(root, "deploy/kubernetes", `${name}.yaml`)
    const text = readFileSync(file, "utf8")
    writeFileSync(file, text.replace(/(vigil:|newTag: ")[\d.]+/, `$1${version}`))
  }
}

const tasks = {
  "--dry-run": () => import("./rehearse.mjs"),
  pack: packAll,
  tarballs,
  version: (...more) => {
    step("exec", "changeset", "version", ...more)
    tagImages()
  },
  snapshot: (...more) => {
    step("exec", "changeset", "version", "--snapshot")
    build()
    step("exec", "changeset", "publish", "--tag", "snapshot", "--no-git-tag", ...more)
  },
  publish: (...more) => {
    tarballs()
    step("exec", "node", "scripts/publish.mjs", "tarballs", ...more)
    step("exec", "changeset", "tag")
  },
}

const [name = "publish", ...more] = process.argv.slice(2)
if (name in tasks) await tasks[name](...more)
else tasks.publish(name, ...more)

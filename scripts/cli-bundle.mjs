/** What the command is a bundle of, as its sources import it: nothing has to be built to know. */
import { join } from "node:path"
import { build } from "esbuild"
import { published, withSiblings } from "./tarballs.mjs"
import { readManifest } from "./workspace.mjs"

/** The package that is the command. */
export const cli = published.find(({ manifest }) => manifest.name === "@vigil/cli")

const { metafile } = await build({
  absWorkingDir: cli.folder,
  entryPoints: ["src/bin.ts"],
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  write: false,
  metafile: true,
  logLevel: "warning",
})
const imported = Object.values(metafile.outputs)
  .flatMap(({ imports }) => imports)
  .map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)[0])

/** Of these, the devDependencies of the command, with their peers: those stand in its manifest too. */
const taken = (names, seen = new Set()) => {
  for (const name of names) {
    if (seen.has(name) || !(name in cli.manifest.devDependencies)) continue
    seen.add(name)
    taken(Object.keys(readManifest(join(cli.folder, "node_modules", name)).peerDependencies ?? {}), seen)
  }
  return seen
}

/** The devDependencies of the command that its bundle takes in, by name. */
export const bundled = taken(imported)

/** The packages of this repository that the bundle takes in, those that others of them bring included. */
export const siblings = [...[...bundled].reduce((seen, name) => withSiblings(published, name, seen), new Set())]

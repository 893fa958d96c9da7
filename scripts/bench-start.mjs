/**
 * How long the command takes to start: as it is published, a bundle, and as the tree of modules that the bundle is made of. Both are
 * packed and installed anew, and started in turn, 15 times each; the medians are printed. Exits 1 unless the bundle's `events list --help`
 * takes less than half the time. Run by `pnpm bench:start`.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { scratch } from "./copy.mjs"
import { pack, published, withSiblings } from "./tarballs.mjs"
import { run } from "./workspace.mjs"

const runs = 15
const place = scratch("start")
const packed = pack(place)
const cli = packed.find(({ manifest }) => manifest.name === "@vigil/cli")
const quiet = ["--no-audit", "--no-fund", "--prefer-offline"]

/** A folder with a manifest, into which these were installed. */
const project = (name, manifest, wanted) => {
  const folder = join(place, name)
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", ...manifest }))
  const { printed, status } = run("npm", ["install", ...quiet, ...wanted], { cwd: folder })
  if (status !== 0) throw new Error(`It does not install:\n${printed}`)
  return folder
}

/** The packages that the modules of a folder import. */
const importsOf = (folder) =>
  new Set(
    readdirSync(folder, { recursive: true })
      .filter((file) => file.endsWith(".js"))
      .flatMap((file) => [
        ...readFileSync(join(folder, file), "utf8").matchAll(/(?:from |import\()"((?:@[^/"]+\/)?[^/"]+)/g),
      ])
      .map(([, name]) => name)
      .filter((name) => !/^(node:|\.)/.test(name)),
  )

/** The tree: the modules as they were compiled, and all that they import. */
const tree = () => {
  const compiled = join(cli.folder, ".tsbuild/dist")
  const { devDependencies, version } = JSON.parse(run("tar", ["-xzOf", cli.tarball, "package/package.json"]).stdout)
  const names = [...importsOf(compiled)].filter((name) => name in devDependencies)
  const own = new Set(names.flatMap((name) => [...withSiblings(packed, name)]))
  const others = names.filter((name) => !published.some(({ manifest }) => manifest.name === name))
  const folder = project("tree", { name: "tree", version }, [
    ...[...own].map(({ tarball }) => tarball),
    ...others.map((name) => `${name}@${devDependencies[name]}`),
  ])
  cpSync(compiled, join(folder, "dist"), { recursive: true })
  return join(folder, "dist/bin.js")
}

const bins = {
  bundle: join(project("bundle", {}, [cli.tarball]), "node_modules/@vigil/cli/dist/bin.js"),
  tree: tree(),
}

const milliseconds = (bin, args) => {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: "utf8" })
  if (status !== 0) throw new Error(`It does not start: ${stderr}`)
  return performance.now() - start
}

const median = (times) => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]

const compare = (args) => {
  const times = { bundle: [], tree: [] }
  for (let at = 0; at < runs; at++)
    for (const name of ["bundle", "tree"]) times[name].push(milliseconds(bins[name], args))
  const [bundle, whole] = [median(times.bundle), median(times.tree)]
  console.log(
    `vigil ${args.join(" ")}: bundle ${bundle.toFixed(0)} ms, tree ${whole.toFixed(0)} ms, ${((100 * bundle) / whole).toFixed(0)} %`,
  )
  return bundle / whole
}

compare(["--version"])
const share = compare(["events", "list", "--help"])
process.exit(share < 0.5 ? 0 : 1)

/**
 * `node scripts/peers.mjs lowest|newest`: installs the packed packages in a blank project, with the lowest or the latest version of each peer in
 * `catalog:peers`. Type-checks the examples of every package there, and runs them through the package's `test/examples.test.ts`. Needs a build.
 */
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import { need, pack, root, scratch } from "./workspace.mjs"

const { catalog, catalogs } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))
const folder = scratch("peers")
const versions = new Map(Object.entries(catalogs.peers))
const lowest = (range) => /\d+\.\d+\.\d+/.exec(range)[0]

// Every `@effect` package that a peer requires gets its lowest version too: npm would install the latest version, which requires newer peers.
// The loop also visits the entries that it adds.
if (process.argv[2] !== "newest")
  for (const [name, range] of versions) {
    const version = lowest(range)
    versions.set(name, version)
    const manifest = JSON.parse(need("npm", ["view", `${name}@${version}`, "--json"]))
    for (const [required, range] of Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies }))
      if (required.startsWith("@effect/") && !versions.has(required)) versions.set(required, range)
  }

const packages = pack(folder).filter(({ manifest }) => manifest.peerDependencies !== undefined)
const tools = new Set(
  packages
    .flatMap(({ manifest }) => Object.keys(manifest.devDependencies))
    .filter((name) => !name.startsWith("@vigil/") && !versions.has(name))
    // The types of platform-node import those of ws, which it does not install.
    .concat("@types/ws", "typescript"),
)
const words = [
  ...packages.map(({ tarball }) => tarball),
  ...[...versions].map(([name, version]) => `${name}@${version}`),
  ...Array.from(tools, (name) => `${name}@${catalog[name]}`),
]
writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
need("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...words], { cwd: folder })

// The examples of health-fleet need Postgres, and are only type-checked. Tests of examples import other files of `test`.
for (const { folder: source, manifest } of packages)
  for (const part of ["examples", "test"])
    if (existsSync(join(source, part)))
      cpSync(join(source, part), join(folder, manifest.name, part), { recursive: true })
const compilerOptions = {
  target: "ES2022",
  lib: ["ES2023", "DOM"],
  module: "NodeNext",
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
}
writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["@vigil/*/examples"] }))
const bin = (name) => join(folder, "node_modules/.bin", name)
need(bin("tsc"), [], { cwd: folder })
console.log(need(bin("vitest"), ["run", "examples.test.ts", "--testTimeout=180000"], { cwd: folder }))
console.log(`The examples type-check and run with ${[...versions].map((entry) => entry.join(" ")).join(", ")}.`)

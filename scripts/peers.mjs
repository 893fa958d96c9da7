/**
 * `pnpm peers`: installs the packed packages in a blank project, with the lowest version of each peer in `catalog:peers`. Type-checks
 * every example of every package there, and runs it by the package's own `test/examples.test.ts`. Needs a build.
 */
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import { scratch } from "./copy.mjs"
import { compilerOptions, resolutions } from "./release/example.mjs"
import { pack } from "./tarballs.mjs"
import { root, run } from "./workspace.mjs"

const { catalog, catalogs } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))
const folder = scratch("peers")

/** Runs a command in the project and returns its output. Exits if it fails: every later step needs it. */
const step = (what, command, ...args) => {
  const { printed, status, stdout } = run(command, args, { cwd: folder })
  if (status !== 0) {
    console.log(`FAIL ${what}\n${printed}`)
    process.exit(1)
  }
  return stdout
}

const lowest = (range) => /\d+\.\d+\.\d+/.exec(range)[0]

/**
 * The lowest versions of the peers, and of every `@effect` package that these require. npm would install the newest versions of the
 * latter, and those require newer peers.
 */
const versions = new Map(Object.entries(catalogs.peers).map(([name, range]) => [name, lowest(range)]))
// The loop also visits the entries that it adds.
for (const [name, version] of versions) {
  const manifest = JSON.parse(step(`${name} ${version} exists`, "npm", "view", `${name}@${version}`, "--json"))
  for (const [required, range] of Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies }))
    if (required.startsWith("@effect/") && !versions.has(required)) versions.set(required, lowest(range))
}
const peers = Object.keys(catalogs.peers).map((name) => `${name} ${versions.get(name)}`)

const packages = pack(folder).filter(({ manifest }) => manifest.peerDependencies !== undefined)
// The types of platform-node import those of ws, which it does not install.
const tools = ["@effect/vitest", "@types/node", "@types/ws", "typescript", "vitest"]
writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
step(
  `the packages install with ${peers.join(", ")}`,
  "npm",
  "install",
  "--no-audit",
  "--no-fund",
  "--prefer-offline",
  ...packages.map(({ tarball }) => tarball),
  ...[...versions].map(([name, version]) => `${name}@${version}`),
  ...tools.map((name) => `${name}@${catalog[name]}`),
)

for (const { folder: source, manifest } of packages)
  for (const part of ["examples", "test/examples.test.ts"])
    cpSync(join(source, part), join(folder, manifest.name, part), { recursive: true })
const options = { ...compilerOptions, ...resolutions.node16, lib: ["ES2023", "DOM"], noEmit: true }
writeFileSync(
  join(folder, "tsconfig.json"),
  JSON.stringify({ compilerOptions: options, include: ["@vigil/*/examples"] }),
)
const bin = (name) => join(folder, "node_modules/.bin", name)
step("the examples type-check", bin("tsc"))
console.log(step("the examples run", bin("vitest"), "run", "--testTimeout=180000"))
console.log(`The examples of ${packages.length} packages type-check and run with ${peers.join(", ")}.`)

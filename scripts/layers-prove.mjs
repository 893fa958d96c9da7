/**
 * `pnpm layers:prove`: shows that the layer check can fail. On a scratch copy it plants one forbidden import at a time,
 * its dependency declared, so that nothing but the layer is wrong, and expects the check to name the planted import.
 */
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { copyFiles, linkModules, scratch } from "./copy.mjs"
import { readManifest, root, run } from "./workspace.mjs"

/** Who imports what, and why it may not. */
const plants = [
  ["core → client", "packages/core-http", "@vigil/health-client/HealthClient"],
  ["core → core", "packages/paging", "@vigil/core-http/Link"],
  ["client → client", "packages/health-client", "@vigil/appmgmt-client/AppManagement"],
  ["client → client, the other way", "packages/appmgmt-client", "@vigil/health-client/HealthClient"],
  ["sandbox → client", "packages/sandbox", "@vigil/health-client/HealthClient"],
  ["schema → core", "packages/health-schema", "@vigil/core-http/Link"],
  ["package → app", "packages/health-client", "@vigil/cli"],
  ["src → devDependency (a sibling)", "packages/health-client", "@vigil/sandbox/Sandbox", "devDependencies"],
  ["src → devDependency (from elsewhere)", "packages/paging", "vitest", "devDependencies"],
  ["internal/ of another package", "packages/health-client", "@vigil/core-http/internal/body"],
  ["internal/ of another package, by path", "packages/health-client", "../../core-http/src/internal/body.js"],
  ["client → platform", "packages/health-client", "@effect/platform-node/NodeHttpClient"],
]

const copy = scratch("layers")
copyFiles(copy)
linkModules(copy)
run("git", ["init", "--quiet"], { cwd: copy })

const check = () => run(process.execPath, [join(root, "scripts/layers.mjs"), copy])

/** Plants an import and its dependency, checks, and takes both out again. */
const prove = ([rule, place, specifier, kind = "dependencies"]) => {
  const planted = join(copy, place, "src/Planted.ts")
  const manifest = join(copy, place, "package.json")
  const before = readManifest(join(copy, place))
  const name = /^(@[^/]+\/[^/]+|[^@./][^/]*)/.exec(specifier)?.[0]
  const version = name?.startsWith("@vigil/") ? "workspace:^" : "catalog:"
  writeFileSync(planted, `/** Planted. */\nexport * as Planted from "${specifier}"\n`)
  if (name !== undefined)
    writeFileSync(
      manifest,
      JSON.stringify({ ...before, [kind]: { ...before[kind], [name]: before[kind]?.[name] ?? version } }),
    )
  const { printed, status } = check()
  writeFileSync(manifest, JSON.stringify(before))
  rmSync(planted)
  const named = printed.includes("Planted.ts") && printed.includes(specifier)
  const by = [...printed.matchAll(/^FAIL (\w+)/gm)].map(([, tool]) => tool).join(", ")
  const caught = status !== 0 && named
  console.log(
    `${caught ? "caught" : "MISSED"}  ${rule}: ${place} imports ${specifier}${caught ? ` (${by})` : `\n${printed}`}`,
  )
  return caught
}

const clean = check()
if (clean.status !== 0) {
  console.error(`The layer check fails before anything is planted:\n${clean.printed}`)
  process.exit(1)
}
const missed = plants.filter((plant) => !prove(plant)).length
console.log(`${plants.length - missed} of ${plants.length} planted imports were caught`)
process.exit(missed === 0 ? 0 : 1)

/**
 * `pnpm release:dry`: the whole release, on a copy and against a registry on this machine: versions and changelogs are written, every
 * package is built and published, and installed from there into blank projects, where the first example of its README is
 * type-checked and run. Prints a line for each thing that is shown. `--newest` installs what users bring in the newest versions that
 * are allowed, not in those that the READMEs name.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { commit, copyWithHistory, git, scratch } from "./copy.mjs"
import { compile, firstBlock, perform, serve } from "./release/example.mjs"
import { nodes } from "./release/nodes.mjs"
import { blankProject, installers, wrongPackages } from "./release/project.mjs"
import { startRegistry } from "./release/registry.mjs"
import { published } from "./tarballs.mjs"
import { environment, members, pnpm, readManifest, root } from "./workspace.mjs"

const started = performance.now()
let [passed, failed] = [0, 0]

/** Prints what was shown, or what is wrong instead. */
const show = (what, wrong = "") => {
  if (wrong === "") passed += 1
  else failed += 1
  const seconds = ((performance.now() - started) / 1000).toFixed(0).padStart(4)
  console.log(`${wrong === "" ? "ok  " : "FAIL"} ${seconds} s  ${what}${wrong === "" ? "" : `\n${wrong}`}`)
}

/** Shows that a command went well; without it there is nothing to go on with. */
const need = (what, { printed, status }) => {
  show(what, status === 0 ? "" : printed)
  if (status !== 0) process.exit(1)
}

const place = scratch("release")
const copy = join(place, "repository")
copyWithHistory(copy)
const registry = await startRegistry(join(place, "registry"))
writeFileSync(join(copy, ".npmrc"), registry.npmrc)

// Should the file be overlooked, changesets still asks no other registry.
const env = { ...environment, "npm_config_@vigil:registry": registry.url }
const inCopy = (...args) => pnpm(args, { cwd: copy, env })
const copyOf = (folder) => readManifest(join(copy, folder.slice(root.length)))
const versionsNow = () => new Map(published.map(({ folder, manifest }) => [manifest.name, copyOf(folder).version]))

// The versions, as the pull request of a release has them.
need("changeset version writes versions and changelogs", inCopy("run", "release:version"))
commit(copy, "Version packages")
const versions = versionsNow()
for (const { folder, manifest } of members) {
  const { version } = copyOf(folder)
  const first = manifest.version === "0.0.0" && version !== "0.1.0"
  const wrong = manifest.private ? version !== manifest.version : first
  const what = manifest.private
    ? `${manifest.name} is private, and gets no version`
    : `${manifest.name} ${manifest.version} → ${version}`
  show(what, wrong ? `It is ${version}.` : "")
}
need("what it wrote is formatted", inCopy("run", "format"))

// Published, as the merge of that pull request does it.
need("the lockfile holds", inCopy("install", "--frozen-lockfile", "--prefer-offline"))
need("pnpm release builds and publishes", inCopy("run", "release"))
const tags = git(copy, "tag", "--points-at", "HEAD").split("\n").toSorted().join(", ")
const expectedTags = [...versions]
  .map(([name, version]) => `${name}@${version}`)
  .toSorted()
  .join(", ")
show(`a tag for each package: ${tags}`, tags === expectedTags ? "" : `They should be ${expectedTags}.`)
const latest = new Map(
  await Promise.all(members.map(async ({ manifest: { name } }) => [name, await registry.tagged(name, "latest")])),
)
const wrongly = [...latest].filter(([name, version]) => version !== versions.get(name)).flat()
show("the registry has each as its latest, and no private package", wrongly.join(" "))

// Installed, each alone.
const projects = published.flatMap((member) =>
  Object.keys(installers).map((installer) => {
    const project = blankProject(join(place, "projects"), installer, member, registry.npmrc)
    const wrong = project.installed ? wrongPackages(project, versions).join("\n") : project.printed
    show(`${member.manifest.name} installs by ${installer}, with its own layers alone, and its changelog`, wrong)
    return project
  }),
)
if (projects.some(({ installed }) => !installed)) process.exit(1)

const tried = nodes(join(place, "nodes"))
const home = projects.find(({ installer, member }) => installer === "npm" && member.manifest.name === "@vigil/sandbox")
const service = await serve(home.folder)
for (const project of projects) {
  const block = firstBlock(project)
  const name = `${project.member.manifest.name}, by ${project.installer}`
  if (block.language === "ts")
    for (const { name: resolution, printed, status } of compile(project, block))
      show(`${name}: its first example type-checks, moduleResolution ${resolution}`, status === 0 ? "" : printed)
  for (const { bin, version } of tried) {
    const { lines, printed, status } = perform(project, block, bin, service)
    show(`${name}: its first example runs on Node ${version}: ${lines} lines`, status === 0 ? "" : printed)
  }
}

// A snapshot, of one package that changed since. Nothing is built anew but the command.
const { manifest, folder } = published.find(({ manifest }) => manifest.name === "@vigil/cli")
writeFileSync(join(copy, ".changeset/snapshot.md"), `---\n"${manifest.name}": patch\n---\n\nTry something.\n`)
commit(copy, "Try something")
need("pnpm release:snapshot versions, builds and publishes", inCopy("run", "release:snapshot"))
const [trial, still] = [
  await registry.tagged(manifest.name, "snapshot"),
  await registry.tagged(manifest.name, "latest"),
]
const apart = trial === copyOf(folder).version && still === versions.get(manifest.name)
show(
  `${manifest.name}@snapshot is ${trial}, and latest still ${still}`,
  apart ? "" : `It should be ${copyOf(folder).version}.`,
)

registry.stop()
console.log(`Tests: ${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

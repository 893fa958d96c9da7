/**
 * `pnpm release:changesets [SINCE]`: every package that changed for its users since a commit is named by a changeset that came since.
 * `changeset status` says whether there is any changeset at all; that each changed package has one is seen here, also where the change
 * is in a catalog that its manifest refers to, or in a package that the command bundles. Changes begin where the pull request does, else
 * at the last release, else at the first commit.
 */
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { parse } from "yaml"
import { bundled, cli, siblings } from "./cli-bundle.mjs"
import { scratch } from "./copy.mjs"
import { since } from "./since.mjs"
import { published } from "./tarballs.mjs"
import { root, run, tool } from "./workspace.mjs"

const git = (...args) => run("git", args).stdout.trim()

const from = since(process.argv[2])
const plan = join(scratch("changesets"), "plan.json")
const { printed, status } = tool("changeset", ["status", `--since=${from}`, `--output=${plan}`])
if (status !== 0) {
  console.error(printed.trim())
  process.exit(1)
}

const { changesets } = JSON.parse(readFileSync(plan, "utf8"))
const named = new Set(changesets.flatMap(({ releases }) => releases.map(({ name }) => name)))

const { changedFilePatterns } = JSON.parse(readFileSync(join(root, ".changeset/config.json"), "utf8"))
const base = git("merge-base", from, "HEAD")
const hasChanged = ({ folder }, patterns) => {
  const paths = patterns.map((pattern) => `:(glob)${relative(root, folder)}/${pattern}`)
  return git("diff", "--name-only", base, "--", ...paths) !== ""
}

const workspace = "pnpm-workspace.yaml"
const catalogsThen = parse(git("show", `${base}:${workspace}`)) ?? {}
const catalogsNow = parse(readFileSync(join(root, workspace), "utf8"))

/** What an entry of a manifest stands for, given the catalogs. */
const value = ({ catalog, catalogs }, name, entry) => {
  if (!entry.startsWith("catalog:")) return entry
  const from = entry.slice("catalog:".length)
  return (catalogs?.[from] ?? (from === "" || from === "default" ? catalog : undefined))?.[name]
}

/** The entries of a manifest that reach users: as dependencies, or within the bundle. */
const entries = ({ dependencies, devDependencies, name, optionalDependencies, peerDependencies }) => [
  ...[dependencies, optionalDependencies, peerDependencies].flatMap((group) => Object.entries(group ?? {})),
  ...(name === cli.manifest.name ? Object.entries(devDependencies).filter(([each]) => bundled.has(each)) : []),
]

const hasOtherVersions = ({ manifest }) =>
  entries(manifest).some(([name, entry]) => value(catalogsThen, name, entry) !== value(catalogsNow, name, entry))

const changed = published.filter((member) => hasChanged(member, changedFilePatterns) || hasOtherVersions(member))
const missing = changed.map(({ manifest }) => manifest.name).filter((name) => !named.has(name))
for (const name of missing)
  console.error(`${name} changed, but no changeset names it. Say what changed: pnpm changeset`)

/** A changeset says so where users of the command see nothing of a change in the packages that it names. */
const unchanged = "<!-- cli: unchanged -->"

const silent = changesets.filter(({ summary }) => summary.includes(unchanged))
const excused = new Set(silent.flatMap(({ releases }) => releases.map(({ name }) => name)))
const within = siblings
  .filter((sibling) => !excused.has(sibling.manifest.name) && hasChanged(sibling, ["src/**"]))
  .map(({ manifest }) => manifest.name)
const told = within.length === 0 || named.has(cli.manifest.name)
if (!told) {
  console.error(`${cli.manifest.name} bundles ${within.join(", ")}, which changed, but no changeset names it.`)
  console.error(`Say what changed: pnpm changeset. Where its users see nothing of it, say ${unchanged} in a changeset.`)
}

console.log(`${changed.length} packages changed since ${from.slice(0, 12)}, ${missing.length} without a changeset`)
process.exit(missing.length === 0 && told ? 0 : 1)

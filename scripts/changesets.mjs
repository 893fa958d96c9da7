/**
 * `pnpm release:changesets [SINCE]`: every package that changed for its users since a commit is named by a changeset that came since.
 * `changeset status` says whether there is any changeset at all; that each changed package has one is seen here. Changes begin
 * where the pull request does, else at the last release, else at the first commit.
 */
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
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
const changed = published.filter(({ folder }) => {
  const paths = changedFilePatterns.map((pattern) => `:(glob)${relative(root, folder)}/${pattern}`)
  return git("diff", "--name-only", base, "--", ...paths) !== ""
})

const missing = changed.map(({ manifest }) => manifest.name).filter((name) => !named.has(name))
for (const name of missing)
  console.error(`${name} changed, but no changeset names it. Say what changed: pnpm changeset`)
console.log(`${changed.length} packages changed since ${from.slice(0, 12)}, ${missing.length} without a changeset`)
process.exit(missing.length === 0 ? 0 : 1)

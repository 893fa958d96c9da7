/**
 * `pnpm release:changesets:prove`: shows that the check of changesets can fail. On a scratch copy it makes one change at a time, commits
 * it, and expects the check to name the package, or to be content.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commit, copyWithHistory, git, linkModules, scratch } from "./copy.mjs"
import { run, tool } from "./workspace.mjs"

const copy = join(scratch("changesets"), "repository")
copyWithHistory(copy)
linkModules(copy)
const start = git(copy, "rev-parse", "HEAD")

const change = (file) => appendFileSync(join(copy, file), "\n")
const planted = join(copy, ".changeset/planted.md")
const naming = (...names) =>
  writeFileSync(planted, `---\n${names.map((name) => `"${name}": patch\n`).join("")}---\n\nPlanted.\n`)
const unchangedCli = () => appendFileSync(planted, "\n<!-- cli: unchanged -->\n")

/** Gives another version to what stands at the beginning of a line in the workspace's catalogs. */
const version = (beginning) => {
  const file = join(copy, "pnpm-workspace.yaml")
  const lines = readFileSync(file, "utf8").split("\n")
  if (!lines.some((line) => line.startsWith(beginning))) throw new Error(`No line begins with "${beginning}".`)
  writeFileSync(file, lines.map((line) => (line.startsWith(beginning) ? `${beginning} 99.0.0` : line)).join("\n"))
}

/** What is changed, and how a line of the check has to begin: `any` where there is no changeset at all, none where it has to be content. */
const changes = [
  ["a source, without a changeset", () => change("packages/paging/src/Paging.ts"), "any"],
  [
    "a source, with a changeset of another package",
    () => {
      change("packages/paging/src/Paging.ts")
      naming("@vigil/sandbox")
    },
    "@vigil/paging changed",
  ],
  [
    "two sources, with a changeset of one",
    () => {
      change("packages/paging/src/Paging.ts")
      change("apps/cli/src/bin.ts")
      naming("@vigil/paging")
      unchangedCli()
    },
    "@vigil/cli changed",
  ],
  [
    "a source that the command bundles, with a changeset of its package alone",
    () => {
      change("packages/paging/src/Paging.ts")
      naming("@vigil/paging")
    },
    "@vigil/cli bundles @vigil/paging,",
  ],
  ["what users may bring, in its catalog, without a changeset", () => version("    effect:"), "@vigil/paging changed"],
  ["a version that the command bundles, without a changeset", () => version("  yaml:"), "@vigil/cli changed"],
  [
    "a version that comes into the bundle as a peer, without a changeset",
    () => version('  "@effect/printer":'),
    "@vigil/cli changed",
  ],
  ["a README, without a changeset", () => change("packages/sandbox/README.md"), "any"],
  [
    "a source that the command bundles, with a changeset of both",
    () => {
      change("packages/paging/src/Paging.ts")
      naming("@vigil/paging", "@vigil/cli")
    },
  ],
  [
    "a source that the command bundles, with a changeset that says it is unchanged",
    () => {
      change("packages/paging/src/Paging.ts")
      naming("@vigil/paging")
      unchangedCli()
    },
  ],
  ["a version that only tests take, without a changeset", () => version("  vitest:")],
  ["a test, without a changeset", () => change("packages/paging/test/model.test.ts")],
  ["a private package, without a changeset", () => change("packages/interop/README.md")],
  [
    "the versions of a release, its changesets used up",
    () => {
      // A release always has something to release.
      naming("@vigil/paging")
      const { printed, status } = tool("changeset", ["version"], { cwd: copy })
      if (status !== 0) throw new Error(`changeset version fails:\n${printed}`)
    },
  ],
]

/** Makes a change, checks what came since, and takes it back. */
const prove = ([what, make, complaint]) => {
  make()
  commit(copy, what)
  const { printed, status } = run(process.execPath, [join(copy, "scripts/changesets.mjs"), start], { cwd: copy })
  git(copy, "reset", "--quiet", "--hard", start)
  const caught =
    status !== 0 && (complaint === "any" ? /no changesets were found/ : new RegExp(`^${complaint}`, "m")).test(printed)
  const right = complaint === undefined ? status === 0 : caught
  console.log(
    `${right ? "ok  " : "FAIL"} ${what}: ${status === 0 ? "passes" : "is caught"}${right ? "" : `\n${printed}`}`,
  )
  return right
}

const wrong = changes.filter((one) => !prove(one)).length
process.exit(wrong === 0 ? 0 : 1)

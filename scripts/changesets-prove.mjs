/**
 * `pnpm release:changesets:prove`: shows that the check of changesets can fail. On a scratch copy it makes one change at a time, commits
 * it, and expects the check to name the package, or to be content.
 */
import { appendFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commit, copyWithHistory, git, linkModules, scratch } from "./copy.mjs"
import { run, tool } from "./workspace.mjs"

const copy = join(scratch("changesets"), "repository")
copyWithHistory(copy)
linkModules(copy)
const start = git(copy, "rev-parse", "HEAD")

const change = (file) => appendFileSync(join(copy, file), "\n")
const changeset = (text) => writeFileSync(join(copy, ".changeset/planted.md"), text)
const naming = (name) => changeset(`---\n"${name}": patch\n---\n\nPlanted.\n`)

/** What is changed, and which package the check has to name: none where it has to be content. */
const changes = [
  ["a source, without a changeset", () => change("packages/paging/src/Paging.ts"), "any"],
  [
    "a source, with a changeset of another package",
    () => {
      change("packages/paging/src/Paging.ts")
      naming("@vigil/sandbox")
    },
    "@vigil/paging",
  ],
  [
    "two sources, with a changeset of one",
    () => {
      change("packages/paging/src/Paging.ts")
      change("apps/cli/src/bin.ts")
      naming("@vigil/paging")
    },
    "@vigil/cli",
  ],
  ["a README, without a changeset", () => change("packages/sandbox/README.md"), "any"],
  [
    "a source, with its changeset",
    () => {
      change("packages/paging/src/Paging.ts")
      naming("@vigil/paging")
    },
  ],
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
const prove = ([what, make, named]) => {
  make()
  commit(copy, what)
  const { printed, status } = run(process.execPath, [join(copy, "scripts/changesets.mjs"), start], { cwd: copy })
  git(copy, "reset", "--quiet", "--hard", start)
  const caught =
    status !== 0 && (named === "any" ? /no changesets were found/ : new RegExp(`^${named} changed`, "m")).test(printed)
  const right = named === undefined ? status === 0 : caught
  console.log(
    `${right ? "ok  " : "FAIL"} ${what}: ${status === 0 ? "passes" : "is caught"}${right ? "" : `\n${printed}`}`,
  )
  return right
}

const wrong = changes.filter((one) => !prove(one)).length
process.exit(wrong === 0 ? 0 : 1)

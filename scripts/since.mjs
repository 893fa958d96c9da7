/** Where the changes begin that have to be told of: where the pull request does, else at the last release, else at the first commit. */
import { run } from "./workspace.mjs"

const git = (...args) => run("git", args).stdout.trim()

/** The commit that last wrote versions, and with them used up every changeset before it. */
const lastVersions = git(
  "log",
  "-1",
  "--format=%H",
  "--diff-filter=M",
  '-G^  "version":',
  "--",
  ":(glob)*/*/package.json",
)

/**
 * The commit to look from; `asked` is one that is named. The versions of a release may be what a pull request is about; then nothing
 * before them is left to be told.
 */
export const since = (asked = process.env.GITHUB_BASE_REF ? `origin/${process.env.GITHUB_BASE_REF}` : undefined) => {
  const versionedSince = (commit) => run("git", ["merge-base", "--is-ancestor", commit, lastVersions]).status === 0
  if (lastVersions !== "" && (asked === undefined || versionedSince(asked))) return lastVersions
  return asked ?? git("rev-list", "--max-parents=0", "HEAD").split("\n").at(-1)
}

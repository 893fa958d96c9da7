/**
 * How changesets writes a CHANGELOG.md: each entry is followed by a link to the commit that brought it. The address of the repository is
 * the one of the root manifest, so that nothing is asked of the network.
 */
import { readManifest, root } from "./workspace.mjs"

const repository = readManifest(root).repository.url.replace(/^git\+|\.git$/g, "")

/** A commit as a link; nothing of a changeset that is not committed yet. */
const link = ({ commit }) =>
  commit === undefined ? "" : ` ([\`${commit.slice(0, 7)}\`](${repository}/commit/${commit}))`

/** The first paragraph carries the link; what follows it is indented as a part of the same entry. */
const getReleaseLine = async (changeset) => {
  const [first, ...rest] = changeset.summary.trim().split("\n\n")
  const entry = [`- ${first}${link(changeset)}`, ...rest].join("\n\n")
  return entry.replaceAll(/\n(?=.)/g, "\n  ")
}

/** Which of our own packages a release brings anew; the first release of one is no update of it. */
const getDependencyReleaseLine = async (_, updated) => {
  const lines = updated
    .filter(({ oldVersion }) => oldVersion !== "0.0.0")
    .map(({ name, newVersion }) => `  - ${name}@${newVersion}`)
  return lines.length === 0 ? "" : ["- Updated dependencies", ...lines].join("\n")
}

export default { getReleaseLine, getDependencyReleaseLine }

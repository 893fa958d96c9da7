/**
 * `pnpm docs:build`: builds the documentation site in `docs/site`. The front page is the README, each library has its own
 * and its public modules, and the guides of `docs/` stand beside them. A warning fails it, and a link that leads nowhere.
 */
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { libraries } from "./api-modules.mjs"
import { checkLinks } from "./docs-links.mjs"
import { root, run } from "./workspace.mjs"

const docs = join(root, "docs")
const site = join(docs, "site")

/** The guides: markdown of `docs/` and its folders. */
const guides = readdirSync(docs, { withFileTypes: true })
  .flatMap((entry) => {
    const { name } = entry
    if (!entry.isDirectory()) return [name]
    return ["node_modules", "site"].includes(name) ? [] : readdirSync(join(docs, name)).map((file) => `${name}/${file}`)
  })
  .filter((file) => file.endsWith(".md"))
  .toSorted()

/** What the front page leads to, and is no library. */
const others = ["../apps/cli/README.md", "../CONTRIBUTING.md"]

rmSync(site, { force: true, recursive: true })
const { printed, status } = run(
  join(docs, "node_modules/.bin/typedoc"),
  [
    ...libraries.flatMap(({ folder }) => ["--entryPoints", folder]),
    ...[...guides, ...others].flatMap((file) => ["--projectDocuments", file]),
  ],
  { cwd: docs },
)
console.log(printed.trimEnd())
if (status !== 0) process.exit(status)

const { count, lost, pages } = checkLinks(site)
for (const link of lost) console.log(`leads nowhere: ${link}`)
console.log(`${pages} pages, ${count} links between them, ${lost.length} of them lead nowhere`)
process.exit(lost.length === 0 ? 0 : 1)

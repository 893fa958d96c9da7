/**
 * Holds READMEs and `docs/` to their examples: every `ts` block follows a comment that names a file in an `examples/` folder, and is
 * that file; every example of a package stands in some document. With `--write`, the files are written into the documents
 * first. The examples themselves are compiled with the tests, and run by them.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { documents } from "./documents.mjs"
import { members, root } from "./workspace.mjs"

const block = /(?:<!-- (\S*examples\/\S+) -->\n\n)?```ts\n([\s\S]*?)```/g
const write = process.argv.includes("--write")

const shown = new Set()

/** What people read to learn: not a list of changes, or of types. */
const guides = documents.filter(({ file }) => /(^|\/)README\.md$|^docs\//.test(file))

const differing = guides.flatMap(({ file, text }) => {
  const folder = dirname(join(root, file))
  const wrong = []
  const after = text.replaceAll(block, (whole, example, code) => {
    const path = join(folder, example ?? "")
    if (example === undefined || !existsSync(path)) {
      wrong.push(`${file}: a block is no example: ${code.split("\n", 1)[0]}`)
      return whole
    }
    shown.add(path)
    const source = readFileSync(path, "utf8")
    if (!write && code !== source) wrong.push(`${file} shows another ${example}`)
    return `<!-- ${example} -->\n\n\`\`\`ts\n${source}\`\`\``
  })
  if (write && after !== text) writeFileSync(join(root, file), after)
  return wrong
})

const hidden = members
  .map(({ folder }) => join(folder, "examples"))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((example) => !shown.has(example))
  .map((example) => `no document shows ${relative(root, example)}`)

const problems = [...differing, ...hidden]
for (const problem of problems) console.error(problem)
console.log(
  problems.length === 0 ? "Every ts block in the documents is an example." : "Mend with `pnpm examples --write`.",
)
process.exit(problems.length === 0 ? 0 : 1)

/**
 * Checks that each `ts` block of a document equals the file in `examples/` that the comment above it names, and that some document shows each
 * example of a package or links to it. `--write` copies the files into the documents. The tests compile and run the examples.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { documents, repository } from "./documents.mjs"
import { members, root } from "./workspace.mjs"

const block = /(?:<!-- (\S*examples\/\S+) -->\n\n)?```ts\n([\s\S]*?)```/g
const write = process.argv.includes("--write")
const problems = []

for (const { file, folder, text } of documents) {
  if (/^(?:apps|packages)\//.test(file))
    for (const [dead] of text.matchAll(/\]\((?!#|https?:)[^)]*\)/g))
      problems.push(`${file}: ${dead} is a dead link on npm. Link to ${repository}.`)
  const updated = text.replaceAll(block, (whole, example = "", code) => {
    const path = join(folder, example)
    if (example === "" || !existsSync(path)) {
      problems.push(`${file}: this block is not an example: ${code.split("\n", 1)[0]}`)
      return whole
    }
    const source = readFileSync(path, "utf8")
    if (!write && code !== source) problems.push(`${file}: the block differs from ${example}. Run \`pnpm fix\`.`)
    return `<!-- ${example} -->\n\n\`\`\`ts\n${source}\`\`\``
  })
  if (write && updated !== text) writeFileSync(join(root, file), updated)
}

const shown = new Set(documents.flatMap(({ examples }) => examples))
for (const { folder } of members)
  if (existsSync(join(folder, "examples")))
    for (const name of readdirSync(join(folder, "examples")))
      if (!shown.has(join(folder, "examples", name)))
        problems.push(`${relative(root, folder)}/examples/${name} is in no document.`)
for (const problem of problems) console.error(problem)
process.exit(problems.length === 0 ? 0 : 1)

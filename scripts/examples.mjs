/**
 * Checks that each `ts` block of a README or a guide equals the file in `examples/` that the comment above it names, and that some
 * document shows each example of a package or links to it. The README of a package links to the repository only by URL, because npm publishes
 * neither the guides nor the examples. `--write` copies the files into the documents. The tests compile and run the examples.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { members, need, root } from "./workspace.mjs"

const block = /(?:<!-- (\S*examples\/\S+) -->\n\n)?```ts\n([\s\S]*?)```/g
const link = /\]\(([^)\s]*examples\/[^)\s]+)\)/g
const repository = "https://github.com/vigil-effect/vigil/blob/main/"
const write = process.argv.includes("--write")
const shown = new Set()

const check = (file) => {
  const text = readFileSync(join(root, file), "utf8")
  const problems = []
  const folder = join(root, dirname(file))
  for (const [, example] of text.matchAll(link))
    shown.add(example.startsWith(repository) ? join(root, example.slice(repository.length)) : join(folder, example))
  if (/^(?:apps|packages)\//.test(file))
    for (const [dead] of text.matchAll(/\]\((?!#|https?:)[^)]*\)/g))
      problems.push(`${file}: ${dead} is a dead link on npm. Link to ${repository}.`)
  const updated = text.replaceAll(block, (whole, example, code) => {
    const path = join(root, dirname(file), example ?? "")
    if (example === undefined || !existsSync(path)) {
      problems.push(`${file}: this block is not an example: ${code.split("\n", 1)[0]}`)
      return whole
    }
    shown.add(path)
    const source = readFileSync(path, "utf8")
    if (!write && code !== source) problems.push(`${file}: the block differs from ${example}. Run \`pnpm fix\`.`)
    return `<!-- ${example} -->\n\n\`\`\`ts\n${source}\`\`\``
  })
  if (write && updated !== text) writeFileSync(join(root, file), updated)
  return problems
}

const documents = need("git", ["ls-files", "-co", "--exclude-standard", "*README.md", "docs/*.md"]).trim().split("\n")
const problems = documents.filter((file) => existsSync(join(root, file))).flatMap(check)
for (const { folder } of members)
  if (existsSync(join(folder, "examples")))
    for (const name of readdirSync(join(folder, "examples")))
      if (!shown.has(join(folder, "examples", name)))
        problems.push(`${relative(root, folder)}/examples/${name} is in no document.`)
for (const problem of problems) console.error(problem)
process.exit(problems.length === 0 ? 0 : 1)

/**
 * Holds the READMEs to their examples: every `ts` block of a README follows a comment that names a file in an
 * `examples/` folder, and is that file; every example of a package stands in its README. With `--write`, the files are written into the
 * READMEs first. The examples themselves are compiled with the tests, and run by them.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { members, root } from "./workspace.mjs"

const block = /(?:<!-- (\S*examples\/\S+) -->\n\n)?```ts\n([\s\S]*?)```/g
const write = process.argv.includes("--write")

const places = [{ folder: root, manifest: { name: "The repository" } }, ...members]

const problems = places.flatMap(({ folder, manifest }) => {
  const file = join(folder, "README.md")
  const source = (example) => readFileSync(join(folder, example), "utf8")
  const shown = new Set()
  const wrong = []
  const before = readFileSync(file, "utf8")
  const after = before.replaceAll(block, (text, example, code) => {
    if (example === undefined || !existsSync(join(folder, example))) {
      wrong.push(`${manifest.name}: a block of its README is no example: ${code.split("\n", 1)[0]}`)
      return text
    }
    shown.add(example)
    if (!write && code !== source(example)) wrong.push(`${manifest.name}: its README shows another ${example}`)
    return `<!-- ${example} -->\n\n\`\`\`ts\n${source(example)}\`\`\``
  })
  if (write && after !== before) writeFileSync(file, after)
  const examples = existsSync(join(folder, "examples")) ? readdirSync(join(folder, "examples")) : []
  return [
    ...wrong,
    ...examples
      .filter((name) => !shown.has(`examples/${name}`))
      .map((name) => `${manifest.name}: its README does not show examples/${name}`),
  ]
})

for (const problem of problems) console.error(problem)
console.log(
  problems.length === 0 ? "Every ts block in the READMEs is an example." : "Mend with `pnpm examples --write`.",
)
process.exit(problems.length === 0 ? 0 : 1)

/**
 * `pnpm install:lines`: every `npm install` line of a document names the release line that the catalog builds with (`effect@3`, not
 * `effect`, which is Effect 4), and the first one in the README of a library follows `npm pkg set type=module`.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import { documents } from "./documents.mjs"
import { published } from "./tarballs.mjs"
import { root } from "./workspace.mjs"

const { catalog } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))

/** The versions that may not break each other: `3` of 3.22.4, `0.97` of 0.97.2. */
const line = (version) => /^(?:0\.\d+|\d+)/.exec(version)[0]

/** What is wrong with the words of one command. */
const unpinned = (command) =>
  command
    .split(" ")
    .map((word) => ({ word, name: /^@?[^@]+/.exec(word)[0] }))
    .filter(({ name, word }) => Object.hasOwn(catalog, name) && word !== `${name}@${line(catalog[name])}`)
    .map(({ name, word }) => `${word} should be ${name}@${line(catalog[name])}`)

const commands = documents.flatMap(({ file, text }) =>
  [...text.matchAll(/^npm install (.*)$/gm)].map(([, words]) => ({ file, words })),
)
const libraries = published.filter(({ manifest }) => manifest.bin === undefined)
const problems = [
  ...commands.flatMap(({ file, words }) => unpinned(words).map((problem) => `${file}: ${problem}`)),
  ...libraries
    .filter(({ folder }) => {
      const [first] = /```sh\n[^`]*npm install [^`]*```/.exec(readFileSync(join(folder, "README.md"), "utf8")) ?? [""]
      return !first.includes("npm pkg set type=module")
    })
    .map(({ manifest }) => `${manifest.name}: its first install block does not set "type": "module"`),
]
for (const problem of problems) console.error(problem)
console.log(`${commands.length} install lines, ${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)

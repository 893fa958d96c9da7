/** The documents for users, with their code: what they install, and which examples they show or link to. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { need, published, root } from "./workspace.mjs"

/** Links to files of the repository in the READMEs of packages: npm publishes neither the guides nor the examples. */
export const repository = "https://github.com/vigil-effect/vigil/blob/main/"

const fence = /(?:<!-- (\S*examples\/\S+) -->\n\n)?^```(\w+)\n([\s\S]*?)^```/gm
const link = /\]\(([^)\s]*examples\/[^)\s]+)\)/g

/** The packages of an `npm install` line, without its flags. Tarballs of the repository are its packages. */
const packagesOf = (line) =>
  line.split(/\s+/).flatMap((word) => {
    if (word.startsWith("--")) return []
    return word.endsWith("/*.tgz") ? published.map(({ manifest }) => manifest.name) : [word]
  })

const read = (file) => {
  const text = readFileSync(join(root, file), "utf8")
  const folder = join(root, dirname(file))
  const blocks = [...text.matchAll(fence)].map(([, example, language, code]) => ({ example, language, code }))
  // Without what runs in a folder of its own, beside the program.
  const shell = blocks
    .filter(({ code, language }) => language === "sh" && !code.startsWith("mkdir generator "))
    .map(({ code }) => code)
  const linked = [...text.matchAll(link)].map(([, target]) =>
    target.startsWith(repository) ? join(root, target.slice(repository.length)) : join(folder, target),
  )
  const shown = blocks.flatMap(({ example }) => (example === undefined ? [] : [join(folder, example)]))
  return {
    file,
    folder,
    text,
    blocks,
    /** The lines of its installation in an empty folder, in order. */
    installation: shell.flatMap((code) => code.match(/^npm (?:init|pkg|install) .*$/gm) ?? []),
    installed: shell
      .flatMap((code) => [...code.matchAll(/npm install (.*)$/gm)])
      .flatMap(([, words]) => packagesOf(words)),
    examples: [...new Set([...shown, ...linked])].filter((path) => existsSync(path)),
  }
}

export const documents = need("git", ["ls-files", "-co", "--exclude-standard", "*.md"])
  .trim()
  .split("\n")
  .filter((file) => existsSync(join(root, file)) && !/^\.|CHANGELOG\.md$/.test(file))
  .map(read)

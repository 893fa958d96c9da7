/**
 * `pnpm links`: every relative link of every document leads to a file of this repository, and every `#anchor` to a heading of
 * the document that it names. Other addresses are not asked.
 */
import { posix } from "node:path"
import { documents } from "./documents.mjs"
import { files } from "./workspace.mjs"

/** Code holds no links; it keeps its lines, so that lines can be counted. */
const withoutCode = (text) =>
  text.replaceAll(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^\1\2 *$|`+[^`\n]*`+/gm, (code) => code.replaceAll(/[^\n]/g, ""))

/** Where links and pictures lead, of whichever form: in line, by reference, as HTML. */
const link =
  /\]\(<?([^()\s>]*(?:\([^()\s]*\)[^()\s>]*)*)>?(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+<?(\S+?)>?\s*$|\b(?:href|src)="([^"]*)"/gm

/** What a heading is called in an address: as GitHub does it. */
const slug = (heading) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-")

/** The anchors of a document; a heading that comes again has a number. */
const anchors = (text) => {
  const seen = new Map()
  for (const [, heading] of text.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const name = slug(heading)
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    if (count > 0) seen.set(`${name}-${count}`, 1)
  }
  return new Set([...seen.keys(), ...Array.from(text.matchAll(/<a (?:id|name)="([^"]+)"/g), ([, id]) => id)])
}

const known = new Set(files())
const isFolder = (path) => path === "." || [...known].some((file) => file.startsWith(`${path}/`))
const anchorsOf = new Map(documents.map(({ file, text }) => [file, anchors(text)]))

/** What is wrong with a link, if anything is. */
const wrong = (from, target) => {
  const [path, anchor] = decodeURI(target).split("#")
  const to = path === "" ? from : posix.join(posix.dirname(from), path).replace(/\/$/, "")
  if (path.startsWith("/") || to.startsWith("..")) return "leaves the repository"
  if (!known.has(to) && !isFolder(to)) return "leads to no file"
  return anchor === undefined || anchorsOf.get(to)?.has(anchor) ? undefined : "leads to no heading"
}

const links = documents.flatMap(({ file, text }) => {
  const bare = withoutCode(text)
  return Array.from(bare.matchAll(link), ({ 1: inline, 2: reference, 3: html, index }) => ({
    file,
    line: bare.slice(0, index).split("\n").length,
    target: inline ?? reference ?? html,
  })).filter(({ target }) => !/^[a-z][a-z\d+.-]*:|^\/\//i.test(target))
})

const broken = links.flatMap(({ file, line, target }) => {
  const why = wrong(file, target)
  return why === undefined ? [] : [`${file}:${line}: ${target} ${why}`]
})

for (const problem of broken) console.error(problem)
console.log(`${links.length} links in ${documents.length} documents, ${broken.length} broken`)
process.exit(broken.length === 0 ? 0 : 1)

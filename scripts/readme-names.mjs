/**
 * `pnpm readme:names`: every option that a package takes, and every error that it declares, stands by its name in the package's
 * README. What is said of it there is for people to keep true.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { members } from "./workspace.mjs"

/** The interfaces that people fill in, by their names. */
const filled =
  /^(?:\w*Options|Settings|RateLimit|\w*Query|Bounds|Reading|Tolerance|Delivery|TestData|Get|Request|Common)$/

const typed = /^(?:export )?(?:interface|type) (\w+)[^{]*\{\n([\s\S]*?)^\}/gm
const field = /^  readonly (\w+)\??:/gm
const error = /\bTaggedError\("(\w+)"\)/g

/** What a public module has to be told of. */
const names = (source) => [
  ...Array.from(source.matchAll(error), ([, name]) => name),
  ...Array.from(source.matchAll(typed))
    .filter(([, name]) => filled.test(name))
    .flatMap(([, , body]) => Array.from(body.matchAll(field), ([, name]) => name)),
]

/** What a public module declares: its source, and that of the internal modules whose types it exports. */
const sourceOf = (folder, file) => {
  const source = readFileSync(join(folder, file), "utf8")
  const inner = source.matchAll(/^export type \{[^}]*\} from "\.\/(internal\/[^"]+)\.js"/gm)
  return [source, ...Array.from(inner, ([, name]) => readFileSync(join(folder, `${name}.ts`), "utf8"))].join("\n")
}

const looked = members
  .filter(
    ({ folder, manifest }) =>
      manifest.private !== true && manifest.bin === undefined && existsSync(join(folder, "src")),
  )
  .flatMap(({ folder, manifest }) => {
    const readme = readFileSync(join(folder, "README.md"), "utf8")
    const said = new Set(Array.from(readme.matchAll(/`(\w+)`/g), ([, name]) => name))
    return readdirSync(join(folder, "src"))
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) =>
        names(sourceOf(join(folder, "src"), file)).map((name) => ({
          where: `${manifest.name}: ${file}: ${name}`,
          isSaid: said.has(name),
        })),
      )
  })

const missing = looked.filter(({ isSaid }) => !isSaid)
for (const { where } of missing) console.error(`${where} does not stand in the README`)
console.log(`${looked.length} options and errors, ${missing.length} not in their README`)
process.exit(missing.length === 0 ? 0 : 1)

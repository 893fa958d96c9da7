/**
 * Checks what documents name and [state](facts.mjs): packages and versions to install, Node.js, pnpm, exports such as `Stream.take`, and parts of linked sources. Each
 * package that an example imports must be in an install line of its document. `pnpm release --dry-run` runs these lines. Needs the installed
 * dependencies, no build.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { parse } from "yaml"
import { documents } from "./documents.mjs"
import { contradictions } from "./facts.mjs"
import { libraries, members, packageManager, published, readManifest, root } from "./workspace.mjs"

const problems = contradictions(documents)
const { catalog } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))
const versions = new Map(Object.entries({ ...catalog, pnpm: packageManager.spec.replace("pnpm@", "") }))
const manifests = new Map(published.map(({ manifest }) => [manifest.name, manifest]))

/** Guides with programs to run. Other pages quote them. */
const isRunnable = (file) => /^packages\/|^docs\/recipes\/|^docs\/getting-started|^README/.test(file)

const checkInstallation = ({ examples, file, installed, text }) => {
  for (const name of installed.map((word) => word.replace(/(?<=.)@.*/, "")))
    if (!versions.has(name) && !manifests.has(name) && !name.endsWith(".tgz"))
      problems.push(`${file}: ${name} is installed, but is neither a package nor in the catalog.`)
  for (const [, name, version] of text.matchAll(/(?<![\w/@-])((?:@[\w-]+\/)?[\w-]+)@(\d[\d.]*\d|\d)(?!-|\.?\d)/g)) {
    const current = versions.get(name)
    if (current !== undefined && !`${current}.`.startsWith(`${version}.`))
      problems.push(`${file}: ${name}@${version} is not the version of the catalog, ${current}.`)
  }
  if (!isRunnable(file)) return
  const imports = examples.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/ from "(?!node:|\.)((?:@[^/"]+\/)?[^/"]+)/g)].map(([, name]) => name),
  )
  const peers = installed.flatMap((name) => {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = manifests.get(name) ?? {}
    return Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true)
  })
  for (const name of new Set([...imports, ...peers]))
    if (!installed.includes(name)) problems.push(`${file}: no install line contains ${name}, which its examples need.`)
}

/** The sources or declarations of each public module by its name. A name may have several. */
const modules = new Map()
const add = (name, path) => {
  const text = readFileSync(path, "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "")
  modules.set(name, [...(modules.get(name) ?? []), { text, isOurs: path.endsWith(`src/${name}.ts`) }])
}
for (const { folder } of libraries)
  for (const name of readdirSync(join(folder, "src")).filter((name) => name.endsWith(".ts")))
    add(basename(name, ".ts"), join(folder, "src", name))

const distOf = (dependency) => {
  const { folder } = members.find(({ folder }) => existsSync(join(folder, "node_modules", dependency)))
  return join(folder, "node_modules", dependency, "dist")
}
for (const dist of ["effect", "@effect/platform-node", "@effect/sql-pg", "@effect/vitest"].map(distOf))
  for (const path of readdirSync(dist, { recursive: true }))
    if (/^[A-Z]\w*\.d\.ts$/.test(basename(path)) && !path.includes("internal"))
      add(basename(path, ".d.ts"), join(dist, path))
/** What can be imported from a package by a path of one name, such as `effect/http`. */
const paths = new Map(
  libraries.map(({ folder, manifest }) => [
    manifest.name,
    readdirSync(join(folder, "src")).map((name) => basename(name, ".ts")),
  ]),
)
paths.set(
  "effect",
  readdirSync(distOf("effect")).map((name) => name.replace(/\.d\.ts$/, "")),
)

const sources = libraries.flatMap(({ folder }) =>
  readdirSync(join(folder, "src"), { recursive: true })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => readFileSync(join(folder, "src", path), "utf8")),
)

/** Whether a module exports a name. Modules of ours may also have members with the name, such as the methods of a service. */
const isDeclared = (module, name) => {
  const exported = new RegExp(
    [
      `export (?:declare |abstract )*(?:const|let|function\\*?|class|interface|type|namespace) ${name}\\b`,
      `export (?:declare )?(?:type )?\\{[^}]*\\b${name}\\b(?!\\s+as\\b)[^}]*\\}`,
    ].join("|"),
  )
  const member = new RegExp(`^ +(?:readonly |static )*${name}\\??[:(<]`, "m")
  return modules.get(module).some(({ isOurs, text }) => exported.test(text) || (isOurs && member.test(text)))
}
/** Whether a name is that of a span. */
const isSpan = (name) => sources.some((text) => text.includes(`"${name}"`))

const checkNames = ({ file, text }) => {
  // The pages of earlier migrations have the names of their releases.
  if (basename(file).startsWith("migration-to-")) return
  const withoutCode = text.replaceAll(/^```[\s\S]*?^```/gm, "")
  // The first column of the tables of a migration has what the earlier release contains.
  const prose = basename(file).startsWith("migration")
    ? withoutCode.replaceAll(/^\|(?:\\.|[^|\\])*\|/gm, "")
    : withoutCode
  for (const [, dependency, path] of prose.matchAll(/`(effect|@vigil\/[\w-]+)\/(\w+)`/g))
    if (!paths.get(dependency)?.includes(path)) problems.push(`${file}: \`${dependency}/${path}\` does not exist.`)
  for (const [, span] of prose.matchAll(/`([^`\n]+)`/g))
    for (const [name, module, member] of span.matchAll(/(?<![\w./-])([A-Z]\w*)\.(\w+)\b(?![./-]\w)/g)) {
      const isOther =
        member === "ResourceHealth" || module in globalThis || /^(?:js|json|md|mjs|ts|txt|yaml)$/.test(member)
      if (isOther) continue
      const isKnown = modules.has(module) && (isDeclared(module, member) || isSpan(name))
      if (!isKnown) problems.push(`${file}: \`${name}\` does not exist.`)
    }
}

/** A link to a source file may name a part of it, as those of the architecture do. The check of links finds missing files. */
const checkSources = ({ file, folder, text }) => {
  for (const [, name, target] of text.matchAll(/\[`([\w$]+)`\]\((?!\w+:)([^)#]+\.ts)\)/g)) {
    const path = join(folder, target)
    const declaration = new RegExp(
      `^\\s*(?:export )?(?:const|let|function\\*?|class|interface|type) ${name}\\b|^ +${name}[:(]`,
      "m",
    )
    if (existsSync(path) && !declaration.test(readFileSync(path, "utf8")))
      problems.push(`${file}: ${target} declares no \`${name}\`.`)
  }
}

const required = readManifest(root).engines.node.replace(">=", "")

for (const document of documents) {
  checkInstallation(document)
  checkNames(document)
  checkSources(document)
  for (const [mention, version] of document.text.matchAll(/Node(?:\.js)? (\d+(?:\.\d+)*) or (?:newer|later)/g))
    if (version !== required) problems.push(`${document.file}: ${mention} is not the required version, ${required}.`)
}
for (const { folder, manifest } of published) {
  const file = join(folder, "README.md")
  if (!readFileSync(file, "utf8").includes(`Node.js ${manifest.engines.node.replace(">=", "")}`))
    problems.push(`The README of ${manifest.name} does not name the Node.js that the package requires.`)
}
for (const problem of problems) console.error(problem)
process.exit(problems.length === 0 ? 0 : 1)

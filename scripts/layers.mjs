/** The layers: what each package may import, and each folder of the command. `scripts/test/layers.test.mjs` checks every import. */
import { posix } from "node:path"

const { dirname, join, relative } = posix

const scope = "@vigil/"

/** The tiers of packages, and the tiers that their files and manifests may use, tests included. */
const tiers = {
  schema: ["schema", "support"],
  core: ["core", "support", "schema"],
  client: ["core", "support", "schema"],
  verdict: ["client", "core", "support", "schema"],
  report: ["verdict", "support", "schema"],
  ai: ["report", "verdict", "client", "core", "support", "schema"],
  fleet: ["client", "core", "support", "schema"],
  support: ["support", "schema"],
  /** Tests and examples: no package may use them. */
  tests: ["client", "core", "support", "schema"],
  app: ["fleet", "ai", "report", "verdict", "client", "core", "support", "schema"],
}

const effect = ["effect/*", "effect/*/*"]
const bundled = ["csv-stringify/sync", "fast-string-width", "open"]
const node = ["node:*", "node:*/*", "@effect/platform-node/*"]

/** What `src` may import; `*` is one name. Only deep imports: a barrel adds its whole size to every bundle. No `internal/` of another package. */
const packages = {
  "packages/health-schema": { tier: "schema", src: ["effect/*", "fast-check"] },
  "packages/health-text": {
    tier: "schema",
    src: ["effect/*", "@vigil/health-schema/*", "html-to-text", "fast-string-width"],
  },
  "packages/paging": { tier: "core", src: ["effect/*"] },
  "packages/core-http": { tier: "core", src: effect },
  "packages/oauth": { tier: "core", src: [...effect, "@vigil/core-http/*"] },
  "packages/health-client": {
    tier: "client",
    src: [...effect, "@vigil/core-http/*", "@vigil/health-schema/*", "@vigil/paging/*"],
  },
  "packages/appmgmt-client": { tier: "client", src: [...effect, "@vigil/core-http/*"] },
  "packages/notify": {
    tier: "client",
    src: [...effect, "@vigil/core-http/*", "@vigil/health-schema/*", "@vigil/health-text/*", "yaml"],
  },
  "packages/health-fleet": {
    tier: "fleet",
    src: [...effect, "@vigil/core-http/*", "@vigil/health-client/*", "@vigil/health-schema/*", "@vigil/notify/*"],
  },
  "packages/health-verdict": {
    tier: "verdict",
    src: ["effect/*", "@vigil/core-http/*", "@vigil/health-client/*", "@vigil/health-schema/*", "@vigil/health-text/*"],
  },
  "packages/health-report": {
    tier: "report",
    src: ["effect/*", "@vigil/health-schema/*", "@vigil/health-text/*", "@vigil/health-verdict/*", "fast-string-width"],
  },
  "packages/health-tools": {
    tier: "ai",
    src: [
      ...effect,
      "@vigil/core-http/*",
      "@vigil/health-client/*",
      "@vigil/health-report/*",
      "@vigil/health-schema/*",
      "@vigil/health-text/*",
      "@vigil/health-verdict/*",
    ],
  },
  "packages/sandbox": { tier: "support", src: [...effect, ...node, "@vigil/health-schema/*"] },
  /** Private. */
  "packages/testing": { tier: "support" },
  "packages/interop": { tier: "tests" },
  "packages/recipes": { tier: "tests" },
  "apps/cli": {
    tier: "app",
    src: [...effect, ...node, "@vigil/*/*", "@effect/sql-pg/*", ...bundled, "@napi-rs/keyring"],
  },
}

/** What every command needs. */
const common = ["flags", "files", "output", "settings", "command"]
const connected = [...common, "connection"]

/** The folders of the command, and those that they may import. Of another command's folder, that is `shared` only. Files in `src` itself may import all. */
const folders = {
  flags: [],
  files: ["flags"],
  output: ["flags", "files"],
  settings: ["flags", "files"],
  listen: ["flags", "files", "output"],
  command: ["flags", "files", "output", "settings"],
  tokens: common,
  connection: [...common, "tokens"],
  lists: connected,
  watches: [...connected, "lists"],
  "events/shared": [...connected, "lists"],
  "notify/shared": connected,
  "fleet/shared": common,
  events: [...connected, "lists", "events/shared"],
  "events/list": [...connected, "lists", "events/shared"],
  "events/watch": [...connected, "lists", "watches", "events/shared", "notify/shared"],
  notify: [...connected, "lists", "notify/shared"],
  fleet: [...connected, "listen", "fleet/shared", "notify/shared"],
  "resources/shared": connected,
  resources: [...connected, "resources/shared"],
  "resources/list": [...connected, "resources/shared", "lists", "watches"],
  "resources/why": [...connected, "resources/shared"],
  serve: [...connected, "listen", "lists", "watches", "notify/shared", "fleet/shared", "mcp (lazily)"],
  mcp: connected,
  apps: connected,
  auth: [...connected, "tokens", "listen"],
  doctor: [...connected, "tokens"],
  init: [...connected, "tokens"],
  status: [...connected, "lists", "resources/shared"],
  sandbox: [...common, "listen"],
}

const command = "apps/cli/src"

/** Every import of a module, also of types and lazy ones. The formatter keeps static imports at the start of a line. */
export const importsOf = (text) => [
  ...[...text.matchAll(/^(?:import|export)\b(?:[^"';]*?\bfrom\s*|\s*)"([^"]+)"/gm)].map(([, to]) => ({ to })),
  ...[...text.matchAll(/\bimport\(\s*["'`]([^"'`]+)["'`]/g)].map(([, to]) => ({ to, isLazy: true })),
]

const packageOf = (file) => Object.keys(packages).find((folder) => file.startsWith(`${folder}/`))

const packageNamed = (specifier) => {
  const name = specifier.slice(scope.length).split("/", 1)[0]
  return Object.keys(packages).find((folder) => folder.endsWith(`/${name}`))
}

const isAllowed = (allowed, specifier) =>
  allowed.some((pattern) => new RegExp(`^${pattern.replaceAll("*", "[^/]+")}$`).test(specifier))

/** Whether a package is for tests only. */
const isPrivate = (specifier) => specifier.startsWith(scope) && packages[packageNamed(specifier)]?.src === undefined

const isTierAllowed = (from, to) =>
  from === to || to === undefined || tiers[packages[from].tier].includes(packages[to].tier)

const folderOf = (file) => {
  const folder = dirname(relative(command, file))
  return folder === "." ? undefined : folder
}

const isFolderAllowed = (from, to, isLazy) =>
  from === undefined ||
  from === to ||
  folders[from]?.includes(to) === true ||
  (isLazy && folders[from]?.includes(`${to} (lazily)`) === true)

/** Why a file may not import a module. `undefined` if it may. */
const problemOf = (file, { isLazy = false, to }) => {
  const from = packageOf(file)
  if (to.startsWith(".")) {
    const target = join(dirname(file), to)
    if (packageOf(`${target}/`) !== from) return "leaves its package"
    if (!file.startsWith(command) || !target.startsWith(command)) return undefined
    return isFolderAllowed(folderOf(file), folderOf(target), isLazy) ? undefined : "is not allowed in its folder"
  }
  if (to.startsWith(scope) && !isTierAllowed(from, packageNamed(to))) return "leaves its tier"
  const { src } = packages[from]
  if (src === undefined || !file.startsWith(`${from}/src/`)) return undefined
  return isAllowed(src, to) && !isPrivate(to) ? undefined : "is not allowed in src"
}

/** The imports that leave their layer. `file` is the path from the root of the repository. */
export const violations = (files) =>
  files.flatMap(({ file, text }) =>
    packageOf(file) === undefined
      ? [`${file}: its package is missing in scripts/layers.mjs`]
      : importsOf(text).flatMap((one) => {
          const problem = problemOf(file, one)
          return problem === undefined ? [] : [`${file}: the import of ${one.to} ${problem}`]
        }),
  )

/** The dependencies that leave their tier, tests included. */
export const dependencyViolations = (manifests) =>
  manifests.flatMap(
    ({ folder, manifest: { dependencies, devDependencies, optionalDependencies, peerDependencies } }) => {
      if (packages[folder] === undefined) return [`${folder} is missing in scripts/layers.mjs`]
      return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies })
        .filter((name) => name.startsWith(scope) && !isTierAllowed(folder, packageNamed(name)))
        .map((name) => `${folder} depends on ${name}, which leaves its tier`)
    },
  )

/** The circles of a graph: for each, its nodes in order. */
const circlesOf = (graph) => {
  const circles = []
  const done = new Set()
  const visit = (node, path) => {
    const start = path.indexOf(node)
    if (start >= 0) circles.push([...path.slice(start), node])
    if (start >= 0 || done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return circles
}

/** The circles of imports between files of the command, and between its folders. */
export const circles = (files) => {
  const edges = files
    .filter(({ file }) => file.startsWith(command))
    .map(({ file, text }) => [
      file,
      importsOf(text).flatMap(({ to }) =>
        to.startsWith(".") ? [join(dirname(file), to).replace(/\.js$/, ".ts")] : [],
      ),
    ])
  const graph = new Map()
  for (const [file, targets] of edges) {
    const from = folderOf(file)
    const others = targets.map(folderOf).filter((to) => to !== undefined && to !== from)
    if (from !== undefined) graph.set(from, new Set([...(graph.get(from) ?? []), ...others]))
  }
  return [...circlesOf(new Map(edges)), ...circlesOf(graph)].map((circle) => circle.join(" → "))
}

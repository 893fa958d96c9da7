/** Bundles the command: `dist/bin.js` with lazy chunks, licenses in `dist/THIRD_PARTY.txt`, and the help of `vigil` in `dist/help.txt`. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const here = dirname(fileURLToPath(import.meta.url))
const dist = join(here, "dist")
const {
  dependencies = {},
  engines,
  name: packageName,
  optionalDependencies = {},
  version: released,
} = JSON.parse(readFileSync(join(here, "package.json"), "utf8"))

/** The oldest version of Node.js, such as `22.19`. */
const node = engines.node.replace(">=", "")

/** The version of the manifest, or the version that the pending changesets lead to: `0.2.0-dev`. */
const findVersion = () => {
  const folder = join(here, "../../.changeset")
  const pending = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"))
  const bumps = ["major", "minor", "patch"]
  const level = bumps.findIndex((bump) => pending.some((text) => text.includes(`"${packageName}": ${bump}\n`)))
  const next = released.split(".").map((part, index) => (index < level ? part : index === level ? Number(part) + 1 : 0))
  return level === -1 ? released : `${next.join(".")}-dev`
}

/** What nearly every command needs, except for the program itself. */
const common = ["./src/Process.ts", "./src/Platform.ts", "./src/events/list/List.ts"]

/**
 * Lets each lazy module import the common ones, so that these are two chunks. Otherwise, esbuild makes a chunk for each set of commands that
 * share modules, and the start of a command reads 50 files.
 */
const lazyModules = {
  name: "lazy-modules",
  setup({ onLoad, onResolve, resolve: find }) {
    onResolve({ filter: /^(?:\.|@vigil\/)/ }, async ({ importer, kind, path, resolveDir }) => {
      if (kind !== "dynamic-import" || /\/node_modules\/|\/src\/bin\.ts$/.test(importer)) return undefined
      const found = await find(path, { kind: "import-statement", resolveDir })
      return { path: found.path, namespace: "lazy" }
    })
    onLoad({ filter: /./, namespace: "lazy" }, ({ path }) => ({
      contents: [...common.map((file) => `import "${file}"`), `export * from ${JSON.stringify(path)}`].join("\n"),
      resolveDir: here,
    }))
  },
}

rmSync(dist, { recursive: true, force: true })
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: ["src/bin.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  chunkNames: "[name]-[hash]",
  platform: "node",
  format: "esm",
  target: `node${node}`,
  define: { BUILD: JSON.stringify({ version: findVersion(), node }) },
  // Keeps regular expressions as literals. V8 compiles those of `new RegExp` at the start.
  supported: { "regexp-set-notation": true, "regexp-unicode-property-escapes": true },
  // pg tries to load pg-native, which is optional. Requests are sent by the client of Node.
  external: ["pg-native", "undici", ...Object.keys({ ...dependencies, ...optionalDependencies })],
  // Some dependencies are CommonJS.
  banner: {
    js: 'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);',
  },
  // Parsing takes the most time of a start.
  minify: true,
  // Licenses are in a separate file.
  legalComments: "none",
  plugins: [lazyModules],
  metafile: true,
  logLevel: "warning",
})

/** The folders of bundled third-party packages. */
const folders = new Set(
  Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.keys(inputs))
    .flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? [])
    .map((folder) => resolve(here, folder)),
)

const licenses = [...folders].map((folder) => {
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one))
  if (file === undefined && license === undefined) throw new Error(`${name} is bundled and has no license.`)
  const text = file === undefined ? `License: ${license}` : readFileSync(join(folder, file), "utf8").trim()
  return { title: `${name} ${version} (${license ?? "see below"})`, text }
})

/** Third-party code inside of other packages. */
const within = [
  {
    title: "Swagger UI (Apache-2.0), within effect",
    text: "Copyright SmartBear Software Inc.\nLicensed under the Apache License, Version 2.0: https://www.apache.org/licenses/LICENSE-2.0",
  },
]

writeFileSync(
  join(dist, "THIRD_PARTY.txt"),
  [...licenses, ...within]
    .toSorted((one, other) => (one.title < other.title ? -1 : 1))
    .map(({ text, title }) => `${title}\n${"-".repeat(title.length)}\n\n${text}\n`)
    .join("\n\n"),
)

// The file does not exist yet, so the command renders its help.
writeFileSync(join(dist, "help.txt"), execFileSync(process.execPath, [join(dist, "bin.js"), "--help"]))

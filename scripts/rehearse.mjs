/**
 * `pnpm release --dry-run`: releases the last commit to a local registry: writes versions if changesets are pending, builds, publishes. Then runs
 * the install lines of each README and guide in an empty folder, type-checks the examples of the document, and runs the first one. The READMEs of
 * packages are tried with the oldest Node.js of their `engines`, too.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { basename, delimiter, dirname, join, relative } from "node:path"
import { setTimeout } from "node:timers/promises"
import { parse } from "yaml"
import { documents } from "./documents.mjs"
import { startSandbox } from "./sandbox.mjs"
import { environment, need, pnpm, published, readManifest, root, run, scratch } from "./workspace.mjs"

const place = scratch("release")
// README.md installs the tarballs of `../vigil`.
const copy = join(place, "vigil")

/** Starts verdaccio with no packages and no upstream registry. Returns its URL. */
const startRegistry = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address()
  server.close()
  const config = {
    storage: join(place, "registry"),
    packages: { "@vigil/*": { access: "$all", publish: "$all" } },
    max_body_size: "50mb",
    log: { type: "stdout", level: "warn" },
  }
  // YAML is a superset of JSON.
  writeFileSync(join(place, "verdaccio.yaml"), JSON.stringify(config))
  const args = ["--config", join(place, "verdaccio.yaml"), "--listen", `127.0.0.1:${port}`]
  const registry = spawn(join(root, "node_modules/.bin/verdaccio"), args, { env: environment, stdio: "inherit" })
  process.on("exit", () => registry.kill())
  const url = `http://127.0.0.1:${port}/`
  for (let attempt = 0; !(await fetch(`${url}-/ping`).catch(() => ({}))).ok; attempt++) {
    if (attempt > 100) throw new Error("The registry did not start within 30 seconds.")
    await setTimeout(300)
  }
  return url
}

const url = await startRegistry()
// npm does not publish without a token. This registry accepts any.
const npmrc = `@vigil:registry=${url}\n${url.replace("http:", "")}:_authToken=none\n`
const git = (...args) => need("git", args, { cwd: copy })
const release = (...args) => {
  const { output, status } = pnpm(args, { cwd: copy, env: { ...environment, "npm_config_@vigil:registry": url } })
  if (status !== 0) throw new Error(`pnpm ${args.join(" ")} failed:\n${output}`)
  console.log(`ok   pnpm ${args.join(" ")}`)
}

need("git", ["clone", "--quiet", "--no-tags", root, copy])
git("config", "user.name", "Rehearsal")
git("config", "user.email", "rehearsal@localhost")
writeFileSync(join(copy, ".git/info/exclude"), "node_modules\n.npmrc\n")
writeFileSync(join(copy, ".npmrc"), npmrc)
release("install", "--frozen-lockfile", "--prefer-offline")
// A release is the commit without changesets.
const isPending = readdirSync(join(copy, ".changeset")).some((name) => name.endsWith(".md") && name !== "README.md")
if (isPending) {
  release("run", "release", "version")
  git("commit", "--quiet", "--all", "--message", "Version packages")
}
release("run", "release")

const { catalog } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))
const tools = ["typescript", "@types/node"].map((name) => `${name}@${catalog[name]}`)

/** The version that was released. */
const released = ({ folder }) => readManifest(join(copy, relative(root, folder))).version

const oldest = readManifest(root).engines.node.replace(">=", "")

/** The folders of the Node.js versions to try: this one, and the oldest. */
const nodes = [
  process.execPath,
  need("npx", ["--yes", "--prefer-offline", `node@${oldest}`, "-p", "process.execPath"]),
].map((path) => dirname(path.trim()))

/** Runs the install lines of a document in an empty folder, and returns the folder. README.md needs no registry. */
const install = ({ file, installation, node }) => {
  const project = join(place, `try-${nodes.indexOf(node)}-${file.replaceAll(/\W+/g, "-").toLowerCase()}`)
  mkdirSync(project)
  if (file !== "README.md") writeFileSync(join(project, ".npmrc"), npmrc)
  // A separate cache, because npm's cache may contain packages of an earlier registry on the same port.
  const npm = { npm_config_cache: join(place, "npm"), npm_config_audit: "false", npm_config_engine_strict: "true" }
  const env = { ...environment, ...npm, PATH: [node, environment.PATH].join(delimiter) }
  // Guides refer to the first two lines.
  const lines = ["npm init --yes", "npm pkg set type=module", ...installation, `npm install ${tools.join(" ")}`]
  for (const line of new Set(lines)) {
    const { output, status } = run("sh", ["-c", line.replace(" --global", "")], { cwd: project, env })
    if (status !== 0 || output.includes("ERESOLVE")) throw new Error(`${file}: \`${line}\` failed:\n${output}`)
  }
  for (const member of published) {
    const { name } = member.manifest
    const folder = join(project, "node_modules", name)
    const version = existsSync(folder) ? readManifest(folder).version : released(member)
    if (version !== released(member)) throw new Error(`${file}: ${name} ${version} instead of ${released(member)}.`)
  }
  console.log(`ok   ${file}: installed with Node.js ${versionOf(node)}`)
  return project
}

const versionOf = (node) => need(join(node, "node"), ["--version"]).trim()

const compilerOptions = { target: "ES2022", lib: ["ES2023", "DOM"], module: "NodeNext", types: ["node"], strict: true }

/** Documents whose first example needs a browser, a Worker, a database or another service: it is only compiled. */
const isOnlyCompiled = (file) => /browser|cluster|http-api|workers|health-fleet|oauth/.test(file)

/** The commands that run the examples of a document. Documents without examples begin with a command. */
const commandsOf = ({ blocks, examples, file }) => {
  if (examples.length === 0) {
    const { code } = blocks.find(({ code, language }) => language === "sh" && !/^(?:npm|git) /.test(code))
    return code.trim().split("\n")
  }
  if (isOnlyCompiled(file)) return []
  const [first] = examples
  return first.endsWith(".test.ts") ? ["vitest run"] : [`exec node ${basename(first, ".ts")}.js`]
}

/** Type-checks the examples of a document, and runs the first. Fails if it prints nothing. A program that watches is stopped after 20 seconds. */
const tryOut = (document, env) => {
  const { examples, file, node, project } = document
  for (const path of examples) copyFileSync(path, join(project, basename(path)))
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: examples.map((path) => basename(path)) }),
  )
  const options = {
    cwd: project,
    env: { ...environment, ...env, PATH: [join(project, "node_modules/.bin"), node, environment.PATH].join(delimiter) },
  }
  const watches = examples.length > 0 && readFileSync(examples[0], "utf8").includes("Watch.run(")
  for (const command of [...(examples.length > 0 ? ["tsc"] : []), ...commandsOf(document)]) {
    const timeout = watches && command !== "tsc" ? 20_000 : undefined
    const { output, status, stdout, timedOut } = run("sh", ["-c", command], { ...options, timeout })
    if ((status !== 0 && !timedOut) || (command !== "tsc" && stdout.trim() === ""))
      throw new Error(`${file}: \`${command}\` failed or printed nothing:\n${output}`)
  }
  console.log(`ok   ${file}: its examples work`)
}

const guides = documents
  .filter(({ installation }) => installation.length > 0)
  .flatMap((document) =>
    nodes
      .slice(0, published.some(({ folder }) => folder === document.folder) ? 2 : 1)
      .map((node) => ({ ...document, node, project: install({ ...document, node }) })),
  )
const missing = published.filter(({ folder }) => !guides.some((guide) => guide.folder === folder))
if (missing.length > 0) throw new Error(`No install line: ${missing.map(({ manifest }) => manifest.name).join(", ")}`)
const env = await startSandbox(guides.find(({ file }) => file === "packages/sandbox/README.md").project)
for (const guide of guides) tryOut(guide, env)
process.exit()

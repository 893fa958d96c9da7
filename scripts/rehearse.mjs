/**
 * `pnpm release --dry-run`: releases the last commit to a local registry: writes versions, builds, publishes. Then installs each package in a
 * blank project as its README says, and type-checks and runs the first example of that README.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { delimiter, join, relative } from "node:path"
import { setTimeout } from "node:timers/promises"
import { parse } from "yaml"
import { startSandbox } from "./sandbox.mjs"
import { environment, need, pnpm, published, readManifest, root, run, scratch } from "./workspace.mjs"

const place = scratch("release")
const copy = join(place, "repository")

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
release("run", "release", "version")
git("commit", "--quiet", "--all", "--allow-empty", "--message", "Version packages")
release("run", "release")

const { catalog } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))
const tools = ["typescript", "@types/node"].map((name) => `${name}@${catalog[name]}`)

/** Installs a package in a blank project with the command of its README, and returns the folder. */
const install = ({ folder, manifest }) => {
  const project = join(place, manifest.name)
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }))
  writeFileSync(join(project, ".npmrc"), npmrc)
  const [, line] = /^npm install (.*)$/m.exec(readFileSync(join(folder, "README.md"), "utf8")) ?? []
  if (line === undefined) throw new Error(`The README of ${manifest.name} has no \`npm install\` line.`)
  const words = line.split(" ").filter((word) => word !== "--global")
  // A separate cache, because npm's cache may contain packages of an earlier registry on the same port.
  need("npm", ["install", "--no-audit", "--no-fund", `--cache=${join(place, "npm")}`, ...words, ...tools], {
    cwd: project,
  })
  const installed = readManifest(join(project, "node_modules", manifest.name)).version
  const { version } = readManifest(join(copy, relative(root, folder)))
  if (installed !== version) throw new Error(`${manifest.name} ${installed} was installed instead of ${version}.`)
  return project
}

const compilerOptions = { target: "ES2022", lib: ["ES2022", "DOM"], module: "NodeNext", types: ["node"], strict: true }

/**
 * Runs the first code block of a package's README that is not its installation. Fails if the code prints nothing. A program that watches is
 * stopped after 20 seconds. Code that needs a database is only compiled.
 */
const tryOut = ({ manifest, project }, env) => {
  const options = {
    cwd: project,
    env: { ...environment, ...env, PATH: [join(project, "node_modules/.bin"), environment.PATH].join(delimiter) },
  }
  const readme = readFileSync(join(project, "node_modules", manifest.name, "README.md"), "utf8")
  const blocks = [...readme.matchAll(/```(ts|sh)\n([\s\S]*?)```/g)]
  const [, language, code] = blocks.find(([, , code]) => !/^(npm|git) /.test(code)) ?? []
  writeFileSync(join(project, "first.ts"), code)
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["first.ts"] }))
  const script = manifest.name === "@vigil/health-fleet" ? ["tsc"] : ["tsc", "exec node first.js"]
  const timeout = code.includes("Watch.run(") ? 20_000 : undefined
  const commands = language === "ts" ? script : code.trim().split("\n")
  for (const command of commands) {
    const { output, status, stdout, timedOut } = run("sh", ["-c", command], { ...options, timeout })
    if ((status !== 0 && !timedOut) || (command !== "tsc" && stdout.trim() === ""))
      throw new Error(`${manifest.name}: \`${command}\` failed or printed nothing:\n${output}`)
  }
  console.log(`ok   ${manifest.name}: installed, and its first example works`)
}

const projects = published.map((member) => ({ ...member, project: install(member) }))
const env = await startSandbox(projects.find(({ manifest }) => manifest.name === "@vigil/sandbox").project)
for (const project of projects) tryOut(project, env)
process.exit()

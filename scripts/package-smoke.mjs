/**
 * `pnpm package:smoke`: installs each package, packed, into a blank project of its own, with nothing beside it but its
 * siblings and its peers; type-checks the first block of its README there, and runs it against a sandbox that was
 * installed the same way.
 */
import { spawn } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { createInterface } from "node:readline"
import { pack, scratch, withSiblings } from "./tarballs.mjs"
import { environment, root, run } from "./workspace.mjs"

const place = scratch("smoke")
const packed = pack(place)

/** The versions of the catalog: what this repository builds and tests with. */
const catalog = Object.fromEntries(
  [...readFileSync(join(root, "pnpm-workspace.yaml"), "utf8").matchAll(/^ {2}"?([^"\s:]+)"?: (\d\S*)$/gm)].map(
    ([, name, version]) => [name, version],
  ),
)

/** A blank project with a package, its siblings and its peers, installed by npm. */
const project = ({ manifest }) => {
  const folder = join(place, manifest.name.replace("@vigil/", ""))
  mkdirSync(folder)
  const siblings = [...withSiblings(packed, manifest.name)].map((sibling) => [
    sibling.manifest.name,
    `file:${sibling.tarball}`,
  ])
  const peers = Object.keys(manifest.peerDependencies ?? {}).map((name) => [name, catalog[name]])
  const tools = ["typescript", "@types/node"].map((name) => [name, catalog[name]])
  const dependencies = Object.fromEntries([...siblings, ...peers, ...tools])
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
  const { printed, status } = run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: folder })
  if (status !== 0) throw new Error(`${manifest.name} does not install:\n${printed}`)
  return folder
}

const projects = new Map(packed.map((member) => [member, project(member)]))

/** Starts the sandbox of the blank project that has it; hands back the environment that leads to it. */
const serve = (folder) => {
  writeFileSync(
    join(folder, "serve.js"),
    `import { Sandbox } from "@vigil/sandbox"
     import { Effect, Redacted } from "effect"
     const serve = Effect.gen(function* () {
       const { accessToken, apiToken, baseUrl, world } = yield* Sandbox.make()
       console.log(JSON.stringify({
         HEALTH_BASE_URL: baseUrl, HEALTH_ACCESS_TOKEN: Redacted.value(accessToken),
         HEALTH_SUBSCRIPTION: world.subscriptions[0].id,
         APPMGMT_BASE_URL: baseUrl, APPMGMT_API_TOKEN: Redacted.value(apiToken),
         SERVICE_BASE_URL: baseUrl, SERVICE_TOKEN: Redacted.value(apiToken),
       }))
       yield* Effect.never
     })
     Effect.runFork(Effect.scoped(serve))`,
  )
  const server = spawn(process.execPath, ["serve.js"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] })
  process.on("exit", () => server.kill())
  return new Promise((resolve, reject) => {
    createInterface(server.stdout).once("line", (line) => resolve(JSON.parse(line)))
    server.once("exit", (code) => reject(new Error(`The sandbox ended with ${code}.`)))
  })
}

const compilerOptions = {
  module: "NodeNext",
  target: "ES2022",
  lib: ["ES2022", "DOM"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
}

/** The first block of a README in its blank project: compiled and run, or run line by line when it is a shell's. */
const tryOut = (member, folder, env) => {
  const readme = readFileSync(join(folder, "node_modules", member.manifest.name, "README.md"), "utf8")
  const [, language, code] = /```(ts|sh)\n([\s\S]*?)```/.exec(readme) ?? []
  if (language === "sh") {
    const path = `${join(folder, "node_modules/.bin")}${delimiter}${env.PATH}`
    return code
      .trim()
      .split("\n")
      .map((line) => run("sh", ["-c", line], { cwd: folder, env: { ...env, PATH: path } }))
      .reduce((all, one) => ({
        status: all.status || one.status,
        stdout: all.stdout + one.stdout,
        printed: all.printed + one.printed,
      }))
  }
  writeFileSync(join(folder, "first.ts"), code ?? "")
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["first.ts"] }))
  const compiled = run("npx", ["tsc", "-p", "."], { cwd: folder })
  return compiled.status === 0 ? run(process.execPath, ["first.js"], { cwd: folder, env }) : compiled
}

const sandbox = [...projects].find(([{ manifest }]) => manifest.name === "@vigil/sandbox")
const env = { ...environment, ...(await serve(sandbox[1])) }

let failures = 0
for (const [member, folder] of projects) {
  const { printed, status, stdout } = tryOut(member, folder, env)
  // An example that prints nothing has shown nothing.
  const works = status === 0 && stdout.trim() !== ""
  if (!works) failures += 1
  console.log(
    `${works ? "ok  " : "FAIL"} ${member.manifest.name}${works ? `: ${stdout.trim().split("\n").length} lines` : `\n${printed}`}`,
  )
}
process.exit(failures === 0 ? 0 : 1)

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

/** The versions of the tools that a blank project of a TypeScript programmer has. */
const tools = ["typescript", "@types/node"].map((name) => {
  const [, version] = new RegExp(`"?${name}"?: (\\d\\S*)`).exec(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8"))
  return `${name}@${version}`
})

/** What the README says to install, word by word; our own packages from their tarballs, with the siblings they need. */
const install = ({ folder, manifest }) => {
  const [, words] = /```sh\nnpm install (.*)\n```/.exec(readFileSync(join(folder, "README.md"), "utf8")) ?? []
  if (words === undefined) throw new Error(`${manifest.name}: its README does not say how to install it.`)
  const tarballs = [...withSiblings(packed, manifest.name)].map(({ tarball }) => tarball)
  return words
    .split(" ")
    .filter((word) => word !== "--global")
    .flatMap((word) => (word === manifest.name ? tarballs : [word]))
}

/** A blank project in which a package was installed as its README says, by npm, which may not warn of any peer. */
const project = (member) => {
  const { manifest } = member
  const folder = join(place, manifest.name.replace("@vigil/", ""))
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline"]
  const { printed, status } = run("npm", ["install", ...quiet, ...install(member), ...tools], { cwd: folder })
  if (status !== 0 || printed.includes("ERESOLVE")) throw new Error(`${manifest.name} does not install:\n${printed}`)
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

/** The first block of a README in the project where its package was installed: type-checked, and run against a sandbox. */
import { spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { createInterface } from "node:readline"
import { environment, run } from "../workspace.mjs"

/** Starts the sandbox of the project that has it; hands back the environment that leads to it. */
export const serve = (folder) => {
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
    createInterface(server.stdout).once("line", (line) => resolve({ ...environment, ...JSON.parse(line) }))
    server.once("exit", (code) => reject(new Error(`The sandbox ended with ${code}.`)))
  })
}

/** How a module is found, and what a TypeScript programmer sets beside it. */
export const resolutions = {
  node16: { module: "Node16", moduleResolution: "Node16" },
  bundler: { module: "ESNext", moduleResolution: "Bundler", noEmit: true },
}

export const compilerOptions = {
  target: "ES2022",
  lib: ["ES2022", "DOM"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
}

/** The first block that a project's package shows, as its README in the registry has it. */
export const firstBlock = ({ folder, member }) => {
  const readme = readFileSync(join(folder, "node_modules", member.manifest.name, "README.md"), "utf8")
  const [, language, code] = /```(ts|sh)\n([\s\S]*?)```/.exec(readme) ?? []
  return { language, code }
}

/** Type-checks a block as each kind of resolution has it; the first writes the JavaScript that is run. */
export const compile = ({ folder }, { code }) => {
  writeFileSync(join(folder, "first.ts"), code)
  return Object.entries(resolutions).map(([name, resolution]) => {
    const config = { compilerOptions: { ...compilerOptions, ...resolution }, files: ["first.ts"] }
    writeFileSync(join(folder, `tsconfig.${name}.json`), JSON.stringify(config))
    const { printed, status } = run(join(folder, "node_modules/.bin/tsc"), ["-p", `tsconfig.${name}.json`], {
      cwd: folder,
    })
    return { name, printed, status }
  })
}

/** Runs a block by a Node.js: its JavaScript, or line by line when it is a shell's. What prints nothing has shown nothing. */
export const perform = ({ folder }, { code, language }, bin, env) => {
  const options = {
    cwd: folder,
    env: { ...env, PATH: [bin, join(folder, "node_modules/.bin"), env.PATH].join(delimiter) },
  }
  const runs =
    language === "sh"
      ? code
          .trim()
          .split("\n")
          .map((line) => run("sh", ["-c", line], options))
      : [run(join(bin, "node"), ["first.js"], options)]
  const failed = runs.find(({ status, stdout }) => status !== 0 || stdout.trim() === "")
  const lines = runs.flatMap(({ stdout }) => stdout.trim().split("\n")).length
  return { status: failed === undefined ? 0 : 1, printed: failed?.printed ?? "", lines }
}

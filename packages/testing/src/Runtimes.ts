/** Runs modules in Node.js, Bun, Deno, and workerd of Cloudflare Workers. npm installs the last three once, in a folder for caches. */
import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import * as Faults from "@vigil/sandbox/Faults"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { build } from "esbuild"

const versions = { bun: "1.4.5", deno: "2.9.6", miniflare: "4.20260730.0" }

/** The newest date that this version of miniflare knows. */
const compatibilityDate = "2026-07-30"

const folder = fileURLToPath(new URL("../../../node_modules/.cache/runtimes", import.meta.url))

let isInstalled = false

/** The folder of the installed packages. No install scripts run: the packages contain their binaries. */
const modules = (): string => {
  const options = ["--no-save", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"]
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`)
  if (!isInstalled) execFileSync("npm", ["install", "--prefix", folder, ...options, ...packages], { stdio: "pipe" })
  isInstalled = true
  return join(folder, "node_modules")
}

/** The only installed package of a scope: npm selects that of this machine. */
const onlyOf = (scope: string): string => join(modules(), scope, readdirSync(join(modules(), scope))[0] ?? "")

/** The runtimes that run the command, and how each starts a script. */
export const commands = {
  node: () => [process.execPath],
  bun: () => [join(onlyOf("@oven"), "bin/bun")],
  deno: () => [join(onlyOf("@deno"), "deno"), "run", "--allow-all"],
} satisfies Readonly<Record<string, () => ReadonlyArray<string>>>

/** The names of all runtimes. */
export const names = ["node", "bun", "deno", "workerd"] as const

export type Name = (typeof names)[number]

/** A module to run. */
export interface Program {
  /** Exports a function `run`, which takes the input. With `prints`, it is a program: its result is the lines that it prints. */
  readonly module: string
  readonly prints?: boolean
  /** Sent as JSON, as is the result. */
  readonly input?: unknown
  readonly env?: Readonly<Record<string, string>>
  /** Trust the certificate of the sandbox and of the fault servers. */
  readonly trusts?: boolean
}

/** Bundles code to one file. Its imports have absolute paths. */
export const bundle = (contents: string): Effect.Effect<string> =>
  Effect.promise(async () => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      conditions: ["@vigil/source"],
      external: ["node:*"],
      format: "esm",
      platform: "browser",
      target: "es2022",
      write: false,
    })
    return outputFiles.map(({ text }) => text).join("\n")
  })

/** Defines `run`. A program is imported when it is called, because a Worker sends requests only then. */
const runOf = ({ module, prints = false }: Pick<Program, "module" | "prints">): string =>
  prints
    ? `const run = async () => {
        const lines = []
        console.log = (...line) => lines.push(line.join(" "))
        await import(${JSON.stringify(module)})
        return lines
      }`
    : `import { run } from ${JSON.stringify(module)}`

const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "vigil-runtime-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

const runProcess = (name: keyof typeof commands, { env, input = null, trusts = false, ...program }: Program) =>
  Effect.gen(function* () {
    const folder = yield* scratch
    const [script, certificate] = [join(folder, "script.mjs"), join(folder, "certificate.pem")]
    const code = `import { readFileSync } from "node:fs"
      import { stdout } from "node:process"
      ${runOf(program)}
      stdout.write(JSON.stringify(await run(JSON.parse(readFileSync(0, "utf8")))))`
    writeFileSync(script, yield* bundle(code))
    writeFileSync(certificate, Faults.certificate)
    const [command = "", ...args] = commands[name]()
    const trust = trusts ? { NODE_EXTRA_CA_CERTS: certificate, DENO_CERT: certificate } : {}
    return yield* Effect.promise(async (signal) => {
      const options = {
        env: { PATH: process.env["PATH"], HOME: folder, ...env, ...trust },
        maxBuffer: Infinity,
        signal,
      }
      const running = promisify(execFile)(command, [...args, script], options)
      running.child.stdin?.end(JSON.stringify(input))
      return (await running).stdout
    })
  })

/** What tests use of a Worker in miniflare, which is not installed when types are checked. */
export interface Miniflare {
  readonly dispatchFetch: (
    url: string,
    options: { readonly method: string; readonly body: string },
  ) => Promise<{ readonly status: number; readonly text: () => Promise<string> }>
  readonly getWorker: () => Promise<{
    readonly scheduled: (options: { readonly cron: string }) => Promise<{ readonly outcome: string }>
  }>
  readonly getKVNamespace: (name: string) => Promise<{
    readonly list: () => Promise<{ readonly keys: ReadonlyArray<{ readonly name: string }> }>
  }>
  readonly dispose: () => Promise<void>
}

/** Starts a Worker. `bindings` are the texts of its environment. It stops when the scope closes. */
export const startWorker = (
  script: string,
  options: { readonly bindings: Readonly<Record<string, string>>; readonly kvNamespaces?: ReadonlyArray<string> },
  trusts = false,
): Effect.Effect<Miniflare, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const entry = pathToFileURL(join(modules(), "miniflare/dist/src/index.js")).href
      const { Miniflare }: { readonly Miniflare: new (options: object) => Miniflare } = await import(entry)
      const tlsOptions = { trustBrowserCas: true, trustedCertificates: trusts ? [Faults.certificate] : [] }
      return new Miniflare({
        ...options,
        script,
        modules: true,
        compatibilityDate,
        compatibilityFlags: ["nodejs_compat"],
        outboundService: { network: { allow: ["public", "private"], tlsOptions } },
        // It prints a stack for each certificate that it refuses. Errors of the Worker are in its responses.
        handleRuntimeStdio: (...outputs: ReadonlyArray<Readable>) => {
          for (const output of outputs) output.resume()
        },
      })
    }),
    (worker) => Effect.promise(() => worker.dispose()),
  )

const runWorker = ({ env = {}, input = null, trusts = false, ...program }: Program) =>
  Effect.gen(function* () {
    const code = `${runOf(program)}
      export default { fetch: async (request) => Response.json(await run(await request.json())) }`
    const worker = yield* startWorker(yield* bundle(code), { bindings: env }, trusts)
    return yield* Effect.promise(async () => {
      const response = await worker.dispatchFetch("http://worker.test", { method: "POST", body: JSON.stringify(input) })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`The Worker responded ${response.status}: ${text}`)
      return text
    })
  })

/** Runs a module in a runtime, and returns its result. */
export const run = (name: Name, program: Program): Effect.Effect<unknown> =>
  Effect.scoped(
    Effect.map(name === "workerd" ? runWorker(program) : runProcess(name, program), (text): unknown =>
      JSON.parse(text),
    ),
  )

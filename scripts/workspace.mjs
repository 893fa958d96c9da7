/** The repository for scripts: its root, its packages, and functions that run commands. */
import "./node.mjs"
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The repository's root, without a trailing slash. */
export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[/\\]$/, "")

export const readManifest = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** The version of the command and of its image. */
export const commandVersion = () => readManifest(join(root, "apps/cli")).version

/** Every package, with its folder and its manifest. */
export const members = ["packages", "apps"]
  .flatMap((kind) => readdirSync(join(root, kind)).map((name) => join(root, kind, name)))
  .filter((folder) => existsSync(join(folder, "package.json")))
  .map((folder) => ({ folder, manifest: readManifest(folder) }))

/** The packages that are published to npm. */
export const published = members.filter(({ manifest }) => manifest.private !== true)

/** The published packages that programs import: all except the command. */
export const libraries = published.filter(({ manifest }) => manifest.bin === undefined)

/** The environment of every command: no telemetry, the tools of the root on the path, and not the log level of `npm start --silent`. */
const { npm_config_loglevel: _, ...inherited } = process.env
export const environment = {
  ...inherited,
  DO_NOT_TRACK: "1",
  TURBO_TELEMETRY_DISABLED: "1",
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  PATH: [join(root, "node_modules/.bin"), inherited.PATH].join(delimiter),
}

/** Runs a command and returns its exit code and its output. With `quiet: false` the output goes to the terminal. */
export const run = (command, args, { cwd = root, env = environment, input, quiet = true, timeout } = {}) => {
  const { error, status, stderr, stdout } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env,
    input,
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
    stdio: quiet ? [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] : "inherit",
    timeout,
  })
  return {
    status: status ?? 1,
    timedOut: error?.code === "ETIMEDOUT",
    stdout: stdout ?? "",
    output: `${stdout ?? ""}${stderr ?? ""}${error ?? ""}`,
  }
}

/** Runs a command and returns its stdout. Throws if it fails. */
export const need = (command, args, options) => {
  const { output, status, stdout } = run(command, args, options)
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${output}`)
  return stdout
}

/** The pnpm version of `packageManager`, and its hash in hexadecimal digits. */
const [spec, hash] = readManifest(root).packageManager.split("+sha512.")
export const packageManager = { spec, hash }

/** Runs that pnpm version with `run` or `need`. npx installs it if it is missing. */
export const pnpm = (args, options, runner = run) => runner("npx", ["--yes", spec, ...args], options)

/** Creates a temporary folder that is removed when the process ends. */
export const scratch = (name) => {
  const folder = mkdtempSync(join(tmpdir(), `vigil-${name}-`))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** Packs every published package into a folder and returns each with its tarball, `vigil-paging.tgz`. Needs a build. */
export const pack = (folder) => {
  const filters = published.map(({ manifest }) => `--filter=${manifest.name}`)
  pnpm(["--recursive", ...filters, "pack", "--out", join(folder, "%s.tgz")], {}, need)
  return published.map((member) => ({
    ...member,
    tarball: join(folder, `${member.manifest.name.slice(1).replace("/", "-")}.tgz`),
  }))
}

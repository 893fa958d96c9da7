/** What every script needs to know of this repository: where it is, who its members are, and how to run its pnpm. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The repository's root. */
export const root = fileURLToPath(new URL("..", import.meta.url))

export const readManifest = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** Every member, with its folder and its manifest. */
export const members = ["packages", "apps"]
  .flatMap((kind) => readdirSync(join(root, kind)).map((name) => join(root, kind, name)))
  .map((folder) => ({ folder, manifest: readManifest(folder) }))

/** Nothing that runs here sends telemetry, and `npm start --silent` silences npm, not what it starts. */
const { npm_config_loglevel: _, ...inherited } = process.env
export const environment = { ...inherited, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1" }

/** Runs a command and hands back its exit code and what it printed; `quiet` keeps that from the terminal, and can give it an `input`. */
export const run = (command, args, { cwd = root, env = environment, input, quiet = true } = {}) => {
  const { error, status, stderr, stdout } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env,
    input,
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
    stdio: quiet ? [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] : "inherit",
  })
  return { status: status ?? 1, stdout: stdout ?? "", printed: `${stdout ?? ""}${stderr ?? ""}${error ?? ""}` }
}

/** Every file that git knows, or would take up, by its path from the root. */
export const files = () =>
  run("git", ["ls-files", "-co", "--exclude-standard", "-z"])
    .stdout.split("\0")
    .filter((file) => file !== "" && existsSync(join(root, file)))

/** The pnpm that this repository names (`packageManager`), and its hash. npx wants the name and version alone. */
const [spec, hash] = readManifest(root).packageManager.split("+sha512.")
export const packageManager = { spec, hash }

/** Runs that pnpm; npx brings it where there is only npm. */
export const pnpm = (args, options) => run("npx", ["--yes", spec, ...args], options)

/** Runs a tool of the root's devDependencies. */
export const tool = (name, args, options) => run(join(root, "node_modules/.bin", name), args, options)

/** Runs the one pnpm that this repository names (`packageManager`), which npx brings where there is only npm. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The repository's root. */
export const root = fileURLToPath(new URL("..", import.meta.url))

/** The manifest of the root. */
export const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

/** Nothing that runs here sends telemetry. */
export const environment = { ...process.env, DO_NOT_TRACK: "1", TURBO_TELEMETRY_DISABLED: "1" }

/** Runs pnpm in the root and hands back its exit code. `stdout` says where its output goes: a stream of ours, by number. */
export const pnpm = (args, { stdout = 1 } = {}) =>
  spawnSync("npx", ["--yes", manifest.packageManager, ...args], {
    cwd: root,
    env: environment,
    shell: process.platform === "win32",
    stdio: ["ignore", stdout, 2],
  }).status ?? 1

/**
 * `npm start`: installs and builds what is missing, then runs the command with the embedded sandbox. Without arguments it lists events.
 * Only the command writes to stdout. On a terminal, the last line says how to run `vigil` in this shell.
 */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pnpm, root } from "./workspace.mjs"

const bin = join(root, "apps/cli/dist/bin.js")
if (!existsSync(bin)) console.error("Installing and building. This happens once …")
const build = pnpm(["exec", "turbo", "run", "build", "--filter=@vigil/cli"])
if (build.status !== 0) {
  console.error(`${build.output}\nThe command was not started. It needs Node 22.19, npm and access to an npm registry.`)
  process.exit(build.status)
}

/** Makes `vigil` work in this shell: the command prints commands to run next. */
const alias =
  process.platform === "win32"
    ? `To run vigil in this PowerShell: function vigil { & "${process.execPath}" "${bin}" @args }`
    : `To run vigil in this shell: alias vigil="'${process.execPath}' '${bin}'"`

const args = process.argv.slice(2)
const command = spawn(process.execPath, [bin, ...(args.length === 0 ? ["events", "list"] : args)], {
  env: { VIGIL_SANDBOX: "1", ...process.env },
  stdio: "inherit",
})
// A terminal sends SIGINT to both processes: this one waits for the command to end. SIGTERM reaches this one only.
process.on("SIGINT", () => undefined)
process.on("SIGTERM", () => command.kill("SIGTERM"))
command.on("exit", (code, signal) => {
  if (process.stderr.isTTY) console.error(alias)
  process.exit(code ?? (signal === "SIGINT" ? 130 : 143))
})

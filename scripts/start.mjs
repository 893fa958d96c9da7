/**
 * `npm start`: installs and builds what is missing, then runs the command against the embedded sandbox. Without
 * arguments it lists events. stdout is the command's alone.
 */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pnpm, root } from "./workspace.mjs"

const bin = join(root, "apps/cli/dist/bin.js")
if (!existsSync(bin)) console.error("Installing and building; this happens once …")
const built = pnpm(["run", "build", "--filter=@vigil/cli"])
if (built.status !== 0) {
  console.error(
    `${built.printed}\nNothing was run: it takes Node 20.19, npm, and a registry of npm packages to install from.`,
  )
  process.exit(built.status)
}

const args = process.argv.slice(2)
const command = spawn(process.execPath, [bin, ...(args.length === 0 ? ["events", "list"] : args)], {
  env: { VIGIL_SANDBOX: "1", ...process.env },
  stdio: "inherit",
})
// A terminal sends SIGINT to both processes: this one stays until the command has ended. SIGTERM is for this one alone.
process.on("SIGINT", () => undefined)
process.on("SIGTERM", () => command.kill("SIGTERM"))
command.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)))

/**
 * Imported first by every script: a script that an older Node.js started runs again with Node.js 24, which npx installs. That Node.js is the first
 * on PATH, so that tools which the script starts use it too.
 */
import { execFileSync, spawn } from "node:child_process"
import { delimiter, dirname } from "node:path"

const [major, minor] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  const options = { encoding: "utf8", shell: process.platform === "win32" }
  const newer = execFileSync("npx", ["--yes", "--prefer-offline", "node@24", "-p", "process.execPath"], options).trim()
  const env = { ...process.env, PATH: [dirname(newer), process.env.PATH].join(delimiter) }
  const script = spawn(newer, process.argv.slice(1), { env, stdio: "inherit" })
  // A terminal sends SIGINT to both processes: this one waits for the script to end. SIGTERM reaches this one only.
  process.on("SIGINT", () => undefined)
  process.on("SIGTERM", () => script.kill("SIGTERM"))
  // Nothing after this import runs.
  await new Promise(() => {
    script.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)))
  })
}

/** A Postgres server for tests, in a folder of its own, on a Unix socket. */
import { execFile, execFileSync, spawn } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"

export interface Postgres {
  /** `postgresql://…?host=…`, with a socket. */
  readonly url: string
  /** The ID of the server's main process, to measure its CPU time. */
  readonly pid: () => number
  /** Stops the server at once, as a crash does, and starts it again, after `downtime` milliseconds. Default: 0. */
  readonly restart: (downtime?: number) => Promise<void>
  readonly stop: () => Promise<void>
}

const run = promisify(execFile)

const folder = "/usr/lib/postgresql"

/** The folder of the latest installed version. */
const binaries = (): string => {
  const versions = existsSync(folder) ? readdirSync(folder).toSorted((one, other) => Number(other) - Number(one)) : []
  const bin = versions.map((version) => join(folder, version, "bin")).find((bin) => existsSync(join(bin, "initdb")))
  if (bin === undefined)
    throw new Error("These tests need Postgres. Install it, for example with `apt-get install postgresql`.")
  return bin
}

/** Postgres refuses to run as root. */
const unprivileged = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }))
  return { uid: idOf("-u"), gid: idOf("-g") }
}

/** Starts a server with an empty database. */
export const start = async (): Promise<Postgres> => {
  const bin = binaries()
  const user = unprivileged()
  const root = mkdtempSync(join(tmpdir(), "vigil-postgres-"))
  const data = join(root, "data")
  if (user !== undefined) chownSync(root, user.uid, user.gid)
  const options = { ...user, cwd: root, env: { ...process.env, PGDATA: data } }
  const control = (...args: ReadonlyArray<string>) => run(join(bin, "pg_ctl"), args, options)
  await control("initdb", "-o", "-U vigil --auth=trust --no-sync")
  const settings = ["listen_addresses=", `unix_socket_directories=${root}`, "fsync=off", "max_connections=200"]
  const boot = ["-l", join(root, "log"), "-o", settings.map((setting) => `-c ${setting}`).join(" ")]
  await control("start", ...boot)
  // Vitest may kill a worker before `stop`: a worker runs the hooks of a module only for its first test file.
  const watcher = spawn("sh", ["-c", `read _; ${join(bin, "pg_ctl")} stop -m immediate`], {
    ...options,
    stdio: ["pipe", "ignore", "ignore"],
  })
  return {
    url: `postgresql://vigil@localhost/postgres?host=${encodeURIComponent(root)}`,
    pid: () => Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10),
    restart: async (downtime = 0) => {
      await control("stop", "-m", "immediate")
      await setTimeout(downtime)
      await control("start", ...boot)
    },
    stop: async () => {
      await control("stop", "-m", "immediate")
      watcher.kill("SIGKILL")
      rmSync(root, { recursive: true, force: true })
    },
  }
}

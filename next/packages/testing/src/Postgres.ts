/** A Postgres server for tests, in a folder of its own, on a Unix socket. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"

export interface Postgres {
  /** `postgresql://…?host=…`, with a socket. */
  readonly url: string
  /** The ID of the server's main process, to measure its CPU time. */
  readonly pid: () => number
  /** Stops the server at once, as a crash does, and starts it again. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

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
  if (user !== undefined) execFileSync("chown", [`${user.uid}:${user.gid}`, root])
  const options = { ...user, cwd: root, stdio: "ignore" as const }
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "vigil", "--auth=trust", "--no-sync"], options)
  const settings = ["listen_addresses=", `unix_socket_directories=${root}`, "fsync=off", "max_connections=200"]
  const boot = async () => {
    const server = spawn(
      join(bin, "postgres"),
      ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
      options,
    )
    const ready = () => {
      try {
        execFileSync(join(bin, "pg_isready"), ["-h", root, "-U", "vigil", "-d", "postgres"], { stdio: "ignore" })
        return true
      } catch {
        return false
      }
    }
    const wait = async (): Promise<void> => {
      if (ready()) return
      if (server.exitCode !== null) throw new Error(`Postgres ended with code ${server.exitCode}.`)
      await setTimeout(50)
      await wait()
    }
    await wait()
    // Vitest may kill a worker before `stop`: a worker runs the hooks of a module only for its first test file.
    const watcher = spawn("sh", ["-c", `read _; kill -QUIT ${server.pid}`], { stdio: ["pipe", "ignore", "ignore"] })
    server.once("exit", () => watcher.kill("SIGKILL"))
    return server
  }
  let server = await boot()
  const end = async (signal: "SIGINT" | "SIGQUIT") => {
    const ended = once(server, "exit")
    server.kill(signal)
    await ended
  }
  return {
    url: `postgresql://vigil@localhost/postgres?host=${encodeURIComponent(root)}`,
    pid: () => server.pid ?? 0,
    restart: async () => {
      await end("SIGQUIT")
      server = await boot()
    },
    stop: async () => {
      await end("SIGINT")
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/**
 * Locks a state file for one process of this machine. The lock is a local socket that listens: the system closes it when the process ends, also after a
 * kill, and it tells others who has it. Containers and machines that share a folder do not see each other.
 */
import { createHash } from "node:crypto"
import { rm, stat } from "node:fs/promises"
import { connect, createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Time from "../flags/Time.js"
import { UsageError } from "../flags/UsageError.js"
import * as AtomicFile from "./AtomicFile.js"
import { codeOf } from "./SystemError.js"

/** Linux and Windows have names that leave no file. */
const hasNames = process.platform === "linux" || process.platform === "win32"

/** The address of the lock of a file whose links are resolved: the same for all paths to its folder. */
const addressOf = async (file: string): Promise<string> => {
  const folder = dirname(resolve(file))
  const id = await stat(folder).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => folder,
  )
  const name = `vigil-${createHash("sha256")
    .update(`${id}/${basename(file)}`)
    .digest("hex")
    .slice(0, 32)}`
  if (process.platform === "win32") return `\\\\.\\pipe\\${name}`
  return hasNames ? `\0${name}` : join(tmpdir(), name)
}

/** In milliseconds. */
const times = {
  /** For the end of a process that was killed, or that sends its last notifications. */
  wait: 3_000,
  between: 100,
  answer: 1_000,
}

/** The listener; `undefined` without one. */
const holderOf = (address: string): Promise<string | undefined> =>
  new Promise((done) => {
    let text = ""
    const socket = connect(address)
    const timer = globalThis.setTimeout(() => done("another process"), times.answer)
    const end = (holder: string | undefined) => {
      clearTimeout(timer)
      socket.destroy()
      done(holder)
    }
    socket.setEncoding("utf8").on("data", (chunk) => (text += String(chunk)))
    socket.on("end", () => end(text))
    socket.on("error", () => end(undefined))
  })

/** Listens, unless another process does. */
const listen = (address: string, name: string): Promise<Server | undefined> =>
  new Promise((done, fail) => {
    const server = createServer((socket) => socket.on("error", () => socket.destroy()).end(name))
    server.on("error", (error) => (codeOf(error) === "EADDRINUSE" ? done(undefined) : fail(error)))
    // A process that has nothing else to do ends.
    server.listen(address, () => done(server.unref()))
  })

const acquire = async (address: string, name: string, end: number): Promise<Server | string> => {
  const server = await listen(address, name)
  if (server !== undefined) return server
  const holder = await holderOf(address)
  if (holder === undefined && !hasNames) await rm(address, { force: true })
  if (performance.now() > end) return holder ?? "another process"
  await setTimeout(times.between)
  return acquire(address, name, end)
}

/** Locks a file until the scope closes. Waits some seconds for a process that ends. `command`: what others read, such as `vigil serve`. */
export const lock = Effect.fnUntraced(function* (file: string, command: string) {
  const name = `process ${process.pid} (${command}, since ${Time.minute(yield* DateTime.now)} UTC)`
  const path = yield* Effect.orElseSucceed(AtomicFile.resolve(file), () => file)
  const acquired = yield* Effect.acquireRelease(
    Effect.promise(async () =>
      // A system without local sockets has no locks.
      acquire(await addressOf(path), name, performance.now() + times.wait).catch(() => undefined),
    ),
    (server) => Effect.sync(() => typeof server === "object" && void server.close()),
  )
  if (typeof acquired === "string")
    return yield* new UsageError(
      `The state file ${JSON.stringify(file)} is in use by ${acquired}. Stop that process, or pass another --state-file.`,
    )
})

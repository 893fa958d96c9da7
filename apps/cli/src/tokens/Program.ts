/** Runs a program without a shell, with limits on its time and its output. */
import { type ChildProcess, spawn } from "node:child_process"
import { statSync } from "node:fs"
import { parse } from "node:path"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { codeOf } from "../files/SystemError.js"
import type { Argv } from "../settings/Argv.js"
import * as Environment from "../settings/Environment.js"
import * as Secrets from "../settings/Secrets.js"

export interface Limits {
  readonly time: Duration.Input
  /** Of stdout, in bytes. */
  readonly output: number
}

/** How the program ended. `NotStarted` has the system's error code, such as `ENOENT`. */
export type Outcome =
  | { readonly _tag: "NotStarted"; readonly code: string }
  | { readonly _tag: "TooLarge" }
  | { readonly _tag: "TimedOut" }
  | {
      readonly _tag: "Exited"
      readonly code: number | null
      readonly signal: string | null
      readonly stdout: string
      /** Its first 16 KB. */
      readonly stderr: string
    }

const maxStderr = 16 * 1024

const hasGroups = process.platform !== "win32"

/** Not the working folder: programs read their settings there, and Windows looks for programs there. */
const folder = (): string => {
  const home = Environment.home()
  return statSync(home, { throwIfNoEntry: false })?.isDirectory() ? home : parse(process.execPath).root
}

/** Without the secrets of vigil, which the program does not need. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !Secrets.isVariable(name)))

/** Kills the process group, because a script starts other programs. */
const kill = (child: ChildProcess): void => {
  try {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
    else child.kill("SIGKILL")
  } catch {
    // It has ended.
  }
  child.stdout?.destroy()
  child.stderr?.destroy()
}

/** Kills the program at a limit, and if the effect is interrupted. Its stdin is empty. It has no terminal, so it cannot prompt. */
export const run = ([program, ...args]: Argv, { output, time }: Limits): Effect.Effect<Outcome> => {
  const outcome = Effect.callback<Outcome>((resume) => {
    const finish = (outcome: Outcome) => resume(Effect.succeed(outcome))
    const fail = (error: unknown) => finish({ _tag: "NotStarted", code: codeOf(error) ?? "unknown reason" })
    const chunks: Array<Buffer> = []
    const errors: Array<Buffer> = []
    let size = 0
    let errorSize = 0
    try {
      const child = spawn(program, args, {
        cwd: folder(),
        detached: hasGroups,
        env: environment(),
        shell: false,
        stdio: ["ignore", "pipe", "pipe"],
        windowsHide: true,
      })
      child.once("error", fail)
      child.stdout.on("data", (chunk: Buffer) => {
        size += chunk.length
        chunks.push(chunk)
        if (size <= output) return
        kill(child)
        finish({ _tag: "TooLarge" })
      })
      child.stderr.on("data", (chunk: Buffer) => {
        if (errorSize < maxStderr) errors.push(chunk.subarray(0, maxStderr - errorSize))
        errorSize += chunk.length
      })
      child.once("exit", (code, signal) => {
        const end = () => {
          child.stdout.destroy()
          child.stderr.destroy()
          const [stdout = "", stderr = ""] = [chunks, errors].map((all) => Buffer.concat(all).toString("utf8"))
          finish({ _tag: "Exited", code, signal, stdout, stderr })
        }
        // The event loop reads what is in the pipes before the second callback.
        const drain = (before: number): void =>
          void setImmediate(() => setImmediate(() => (size + errorSize === before ? end() : drain(size + errorSize))))
        // Not until the pipes are closed: a program that goes on in the background holds them.
        drain(size + errorSize)
      })
      return Effect.sync(() => kill(child))
    } catch (error) {
      return fail(error)
    }
  })
  return Effect.timeoutOrElse(outcome, {
    duration: time,
    orElse: () => Effect.succeed<Outcome>({ _tag: "TimedOut" }),
  })
}

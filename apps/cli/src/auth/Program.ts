/** Runs a program without a shell, with limits on its time and its output. */
import { type ChildProcess, spawn } from "node:child_process"
import { statSync } from "node:fs"
import { parse } from "node:path"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { codeOf } from "../ErrorCode.js"
import type { Argv } from "../settings/Argv.js"
import * as Environment from "../settings/Environment.js"
import * as Secrets from "../settings/Secrets.js"

export interface Limits {
  readonly time: Duration.DurationInput
  /** Of stdout, in bytes. */
  readonly output: number
}

/** How the program ended, and the end of its stderr. `NotStarted` has the system's error code, such as `ENOENT`. */
export type Outcome =
  | { readonly _tag: "NotStarted"; readonly code: string }
  | { readonly _tag: "TooLarge" }
  | { readonly _tag: "TimedOut"; readonly stderr: string }
  | {
      readonly _tag: "Exited"
      readonly code: number | null
      readonly signal: string | null
      readonly stdout: string
      readonly stderr: string
    }

/** In characters: longer than any message. */
const maxStderr = 8 * 1024

const hasGroups = process.platform !== "win32"

const closePipes = ({ stderr, stdout }: ChildProcess): void => {
  stdout?.destroy()
  stderr?.destroy()
}

/** Not the working folder: programs read their settings there, and Windows looks for programs there. */
const folder = (): string => {
  const home = Environment.home()
  return statSync(home, { throwIfNoEntry: false })?.isDirectory() ? home : parse(process.execPath).root
}

/** Without the secrets of vigil, which the program does not need. Windows ignores the case of names. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !Secrets.variables.includes(name.toUpperCase())))

/** Kills the process group, because a script starts other programs. */
const kill = (child: ChildProcess): void => {
  try {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
    else child.kill("SIGKILL")
  } catch {
    // It has ended.
  }
  closePipes(child)
}

/** Kills the program at a limit, and if the effect is interrupted. Its stdin is empty. It has no terminal, so it cannot prompt. */
export const run = ([program, ...args]: Argv, { output, time }: Limits): Effect.Effect<Outcome> =>
  Effect.suspend(() => {
    let stderr = ""
    const outcome = Effect.async<Outcome>((resume) => {
      const finish = (outcome: Outcome) => resume(Effect.succeed(outcome))
      const fail = (error: unknown) => finish({ _tag: "NotStarted", code: codeOf(error) ?? "unknown reason" })
      const chunks: Array<Buffer> = []
      let size = 0
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
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
          stderr = (stderr + text).slice(-maxStderr)
        })
        child.once("exit", (code, signal) => {
          const end = () => {
            closePipes(child)
            finish({ _tag: "Exited", code, signal, stdout: Buffer.concat(chunks).toString("utf8"), stderr })
          }
          // The event loop reads what is in the pipes before the second callback.
          const drain = (before: number): void =>
            void setImmediate(() => setImmediate(() => (size === before ? end() : drain(size))))
          // Not until the pipes are closed: a program that goes on in the background holds them.
          drain(size)
        })
        return Effect.sync(() => kill(child))
      } catch (error) {
        return fail(error)
      }
    })
    return Effect.timeoutTo(outcome, {
      duration: time,
      onSuccess: (outcome) => outcome,
      onTimeout: (): Outcome => ({ _tag: "TimedOut", stderr }),
    })
  })

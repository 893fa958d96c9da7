/** Runs a program without a shell, with limits on its time and its output. */
import { type ChildProcess, spawn } from "node:child_process"
import { statSync } from "node:fs"
import { homedir } from "node:os"
import { parse } from "node:path"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { codeOf } from "../ErrorCode.js"
import type { Argv } from "../settings/Argv.js"

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

/** Not the working folder: programs read their settings there, and Windows looks for programs there. */
const folder = (): string => {
  const home = homedir()
  return statSync(home, { throwIfNoEntry: false })?.isDirectory() ? home : parse(process.execPath).root
}

/** With its children, because the program may be a script. */
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

/** Kills the program at a limit, and if the effect is interrupted. Its stdin is empty. Without a terminal, it cannot ask. */
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
        child.once("close", (code, signal) =>
          finish({ _tag: "Exited", code, signal, stdout: Buffer.concat(chunks).toString("utf8"), stderr }),
        )
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

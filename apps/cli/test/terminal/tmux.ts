/** A real terminal for tests: a shell in a window of tmux, typed into and looked at as a person would. */
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { folder } from "../folder.js"
import { bin } from "../spawned.js"

/** A window. Its lines are those that were ever shown in it, without the empty ones at the end. */
export interface Window {
  /** Its folder, in which the shell is. */
  readonly home: string
  /** Types a line for the shell, and enters it. */
  readonly enter: (line: string) => Effect.Effect<void>
  /** Types a line for what runs there, and enters it. */
  readonly answer: (line: string) => Effect.Effect<void>
  /** Presses a key, by tmux's name for it: `C-c`. */
  readonly press: (key: string) => Effect.Effect<void>
  readonly lines: Effect.Effect<ReadonlyArray<string>>
  /** The same with what colors them; and as they were written, where the window had to break one. */
  readonly colored: Effect.Effect<ReadonlyArray<string>>
  readonly joined: Effect.Effect<ReadonlyArray<string>>
  /** Every byte that was written to it, as soon as this is among them. */
  readonly written: (until: string) => Effect.Effect<string>
  readonly isCursorShown: Effect.Effect<boolean>
  /** Waits until its lines hold this. */
  readonly shows: (what: string | RegExp) => Effect.Effect<ReadonlyArray<string>>
  /** Waits for the end of the line that was entered last: what was written between it and the prompt, and its exit code. */
  readonly ended: Effect.Effect<{ readonly code: number; readonly lines: ReadonlyArray<string> }>
}

/** How a window is. */
export interface Options {
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
}

const missing = "The terminal tests need tmux: install it (apt-get install tmux)."

const execute = promisify(execFile)

/** Letters of any language, whatever the machine's own. */
const locale = { LC_ALL: "C.UTF-8" }

const path = process.env["PATH"] ?? ""

/** The wait between two looks at a window, in milliseconds, and the number of looks: enough for slow machines. */
const pause = 50
const looks = 1_200

const prompt = /^\[(\d+)\] \$(?: |$)/

const trimmed = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n").map((line) => line.trimEnd())
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1)
}

/** Opens a window, which is closed with the scope. `vigil` is the built command in it, and its home is empty. */
export const open = ({ columns = 80, env = {} }: Options = {}) =>
  Effect.gen(function* () {
    const home = yield* folder
    const programs = join(home, ".programs")
    mkdirSync(programs)
    writeFileSync(join(programs, "vigil"), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
    chmodSync(join(programs, "vigil"), 0o755)
    const name = `vigil-${randomUUID()}`
    const tmux = (...args: ReadonlyArray<string>) =>
      Effect.promise(async () => {
        const { stdout } = await execute("tmux", ["-u", "-L", name, "-f", "/dev/null", ...args], {
          cwd: home,
          env: { PATH: path, HOME: home, TERM: "xterm-256color", ...locale },
        }).catch((error: NodeJS.ErrnoException) => {
          throw error.code === "ENOENT" ? new Error(missing) : error
        })
        return stdout
      })
    const own = {
      HOME: home,
      PATH: `${programs}:${dirname(process.execPath)}:${path}`,
      PS1: "[$?] $ ",
      TERM: "screen-256color",
      VIGIL_NO_KEYCHAIN: "1",
      ...locale,
      ...env,
    }
    const settings = Object.entries(own).map(([name, value]) => `${name}=${value}`)
    yield* Effect.acquireRelease(
      tmux("new-session", "-d", "-x", `${columns}`, "-y", "50", "env", "-i", ...settings, "sh", "-i"),
      () => Effect.ignore(tmux("kill-server")),
    )
    const record = join(home, ".written")
    writeFileSync(record, "")
    yield* tmux("pipe-pane", `cat >> '${record}'`)
    const capture = (...flags: ReadonlyArray<string>) =>
      Effect.map(tmux("capture-pane", "-p", "-S", "-", ...flags), trimmed)
    const lines = capture()

    /** Looks until something is there to be seen. */
    const wait = <A>(what: string, see: (lines: ReadonlyArray<string>) => A | undefined): Effect.Effect<A> =>
      Effect.gen(function* () {
        let last: ReadonlyArray<string> = []
        for (let look = 0; look < looks; look++) {
          last = yield* lines
          const seen = see(last)
          if (seen !== undefined) return seen
          yield* Effect.sleep(pause)
        }
        return expect.fail(`${what} did not appear:\n${last.join("\n")}`)
      })

    let entered = 0
    const type = (line: string) => Effect.zipRight(tmux("send-keys", "-l", line), tmux("send-keys", "Enter"))
    const shows: Window["shows"] = (what) =>
      wait(String(what), (lines) => {
        const text = lines.join("\n")
        return (typeof what === "string" ? text.includes(what) : what.test(text)) ? lines : undefined
      })
    yield* shows(prompt)
    const window: Window = {
      home,
      enter: (line) =>
        Effect.suspend(() => {
          entered++
          return type(line)
        }),
      answer: type,
      press: (key) => Effect.asVoid(tmux("send-keys", key)),
      lines,
      colored: capture("-e"),
      joined: capture("-J"),
      written: (until) =>
        wait(until, () => {
          const bytes = readFileSync(record, "latin1")
          return bytes.includes(until) ? bytes : undefined
        }),
      isCursorShown: Effect.map(tmux("display-message", "-p", "#{cursor_flag}"), (flag) => flag.trim() === "1"),
      shows,
      ended: wait("The end of the line", (lines) => {
        const prompts = [...lines.entries()].filter(([, line]) => prompt.test(line))
        const [before, last] = prompts.slice(-2)
        return prompts.length <= entered || before === undefined || last === undefined
          ? undefined
          : { code: Number(prompt.exec(last[1])?.[1]), lines: lines.slice(before[0] + 1, last[0]) }
      }),
    }
    return window
  })

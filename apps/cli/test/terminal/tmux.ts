/** A real terminal for tests: a shell in a tmux window. */
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { folder } from "../support/folder.js"
import { bin } from "../support/subprocess.js"

/** A tmux window. Lines include the scrollback, without the empty lines at the end. */
export interface Window {
  /** The home and working folder of the shell. */
  readonly home: string
  /** Types a command for the shell, and presses Enter. */
  readonly enter: (command: string) => Effect.Effect<void>
  /** Types a line for the running command, and presses Enter. */
  readonly type: (line: string) => Effect.Effect<void>
  /** Presses a key. Takes the name that tmux uses, such as `C-c`. */
  readonly press: (key: string) => Effect.Effect<void>
  readonly lines: Effect.Effect<ReadonlyArray<string>>
  /** The lines with their escape sequences for colors. */
  readonly colored: Effect.Effect<ReadonlyArray<string>>
  /** The lines before the window wraps them. */
  readonly joined: Effect.Effect<ReadonlyArray<string>>
  readonly isCursorShown: Effect.Effect<boolean>
  /** Waits until the lines match, and returns them. */
  readonly waitFor: (pattern: string | RegExp) => Effect.Effect<ReadonlyArray<string>>
  /** Waits until the last command ends, and returns its exit code and its output. */
  readonly result: Effect.Effect<{ readonly code: number; readonly lines: ReadonlyArray<string> }>
}

const missing = "The terminal tests need tmux: install it (apt-get install tmux)."

const execute = promisify(execFile)

/** Output is UTF-8 on every machine. */
const locale = { LC_ALL: "C.UTF-8" }

const path = process.env["PATH"] ?? ""

/** In milliseconds. The total of 60 seconds is enough for slow machines. */
const pollInterval = 50
const maxPolls = 1_200

const prompt = /^\[(\d+)\] \$(?: |$)/

const trimmed = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n").map((line) => line.trimEnd())
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1)
}

/** Opens a window with a token and an empty home, where `vigil` runs the built command. It closes with the scope. */
export const open = ({
  columns = 80,
  env = {},
}: {
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
}) =>
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
    const variables = {
      HOME: home,
      HEALTH_ACCESS_TOKEN: "token-of-tests",
      PATH: `${programs}:${dirname(process.execPath)}:${path}`,
      PS1: "[$?] $ ",
      TERM: "screen-256color",
      VIGIL_NO_KEYCHAIN: "1",
      ...locale,
      ...env,
    }
    const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
    yield* Effect.acquireRelease(
      tmux("new-session", "-d", "-x", `${columns}`, "-y", "50", "env", "-i", ...settings, "sh", "-i"),
      () => Effect.ignore(tmux("kill-server")),
    )
    const capture = (...flags: ReadonlyArray<string>) =>
      Effect.map(tmux("capture-pane", "-p", "-S", "-", ...flags), trimmed)
    const lines = capture()

    /** Polls the lines until `find` returns a value. */
    const wait = <A>(what: string, find: (lines: ReadonlyArray<string>) => A | undefined): Effect.Effect<A> =>
      Effect.gen(function* () {
        let last: ReadonlyArray<string> = []
        for (let poll = 0; poll < maxPolls; poll++) {
          last = yield* lines
          const found = find(last)
          if (found !== undefined) return found
          yield* Effect.sleep(pollInterval)
        }
        return expect.fail(`${what} did not appear:\n${last.join("\n")}`)
      })

    let commandCount = 0
    const type = (line: string) =>
      Effect.asVoid(Effect.andThen(tmux("send-keys", "-l", line), tmux("send-keys", "Enter")))
    const waitFor: Window["waitFor"] = (pattern) =>
      wait(String(pattern), (lines) => {
        const text = lines.join("\n")
        return (typeof pattern === "string" ? text.includes(pattern) : pattern.test(text)) ? lines : undefined
      })
    yield* waitFor(prompt)
    const window: Window = {
      home,
      enter: (command) =>
        Effect.suspend(() => {
          commandCount++
          return type(command)
        }),
      type,
      press: (key) => Effect.asVoid(tmux("send-keys", key)),
      lines,
      colored: capture("-e"),
      joined: capture("-J"),
      isCursorShown: Effect.map(tmux("display-message", "-p", "#{cursor_flag}"), (flag) => flag.trim() === "1"),
      waitFor,
      result: wait("The end of the command", (lines) => {
        const prompts = [...lines.entries()].filter(([, line]) => prompt.test(line))
        const [before, last] = prompts.slice(-2)
        return prompts.length <= commandCount || before === undefined || last === undefined
          ? undefined
          : { code: Number(prompt.exec(last[1])?.[1]), lines: lines.slice(before[0] + 1, last[0]) }
      }),
    }
    return window
  })

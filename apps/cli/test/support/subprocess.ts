/** Runs the built command in a separate process. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { constants, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The built command. */
export const bin = fileURLToPath(new URL("../../dist/bin.js", import.meta.url))

const home = mkdtempSync(join(tmpdir(), "vigil-test-"))
process.once("exit", () => rmSync(home, { recursive: true, force: true }))

/** The exit code and the output of a process. As in a shell, the code is 128 plus the signal that ended it. */
export interface ProcessResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** Added to `PATH`, an empty `HOME` and a token. */
  readonly env?: Readonly<Record<string, string>>
  /** A text, an empty pipe (default), an empty device, or a closed descriptor. */
  readonly stdin?: { readonly text: string } | "pipe" | "device" | "closed"
  /** What runs the command. Default: this Node.js. */
  readonly runtime?: ReadonlyArray<string>
  /** A shell command to run first, such as `ulimit -f 0`, which makes writes to files fail. */
  readonly before?: string
  /** The file descriptor to use as stdout. */
  readonly stdout?: number
  /** Runs at the first output of the process. */
  readonly onFirstOutput?: (child: ChildProcess) => void
  /** Runs when the process has started. */
  readonly onStart?: (child: ChildProcess) => void
}

/** Runs `vigil` with the arguments until it exits. */
export const vigil = (
  args: ReadonlyArray<string>,
  {
    before,
    onStart,
    env = {},
    onFirstOutput,
    runtime = [process.execPath],
    stdin = "pipe",
    stdout: file,
  }: RunOptions = {},
): Promise<ProcessResult> =>
  new Promise((resolve) => {
    const prelude = [before, stdin === "closed" ? "exec <&-" : undefined].filter((one) => one !== undefined)
    const [command = "", ...rest] =
      prelude.length === 0
        ? [...runtime, bin, ...args]
        : ["sh", "-c", `${prelude.join("; ")}; exec "$@"`, "sh", ...runtime, bin, ...args]
    const child = spawn(command, rest, {
      stdio: [stdin === "device" ? "ignore" : "pipe", file ?? "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        VIGIL_NO_KEYCHAIN: "1",
        HEALTH_ACCESS_TOKEN: "token-of-tests",
        ...env,
      },
    })
    let [stdout, stderr] = ["", ""]
    const reportFirstOutput = () => {
      if (stdout + stderr === "") onFirstOutput?.(child)
    }
    child.stdout?.on("data", (chunk) => {
      reportFirstOutput()
      stdout += String(chunk)
    })
    child.stderr?.on("data", (chunk) => {
      reportFirstOutput()
      stderr += String(chunk)
    })
    // The process may exit before it reads all of stdin.
    child.stdin?.on("error", () => undefined)
    child.stdin?.end(typeof stdin === "object" ? stdin.text : "")
    child.on("close", (code, signal) =>
      resolve({ code: signal === null ? code : 128 + constants.signals[signal], stdout, stderr }),
    )
    onStart?.(child)
  })

/** Runs the command in the test process, and collects its output. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Cli from "../../src/Cli.js"
import { Input } from "../../src/command/Input.js"
import { Output, type OutputError } from "../../src/output/Output.js"

/** A temporary home without settings, and with a token that services accept. The keychain is not used. */
const home = mkdtempSync(join(tmpdir(), "vigil-test-"))
process.once("exit", () => rmSync(home, { recursive: true, force: true }))
Object.assign(process.env, {
  XDG_CONFIG_HOME: join(home, "config"),
  XDG_DATA_HOME: join(home, "data"),
  VIGIL_NO_KEYCHAIN: "1",
  HEALTH_ACCESS_TOKEN: "token-of-tests",
})

/** The exit code and the printed lines of a run. */
export interface Run {
  readonly code: number
  readonly data: ReadonlyArray<string>
  readonly notes: ReadonlyArray<string>
  /** The progress lines. */
  readonly statuses: ReadonlyArray<string | undefined>
  /** The questions. */
  readonly questions: ReadonlyArray<string>
}

/** The terminal and the stdin of a run. */
export interface RunOptions {
  readonly width?: number
  readonly color?: boolean
  /** Receives the data, and may delay or reject it. */
  readonly watch?: (lines: ReadonlyArray<string>) => Effect.Effect<void, OutputError>
  /** The lines of stdin. */
  readonly input?: ReadonlyArray<string>
  /** Answers to the questions. Without them, stdin is not a terminal. */
  readonly answers?: ReadonlyArray<string>
  /** Called with each note. */
  readonly onNote?: (text: string) => void
}

/** Provides a stdin that is empty and not a terminal. */
export const emptyInput = Effect.provideService(Input, {
  isTerminal: false,
  isInteractive: false,
  lines: Stream.empty,
  ask: () => Effect.succeed(undefined),
})

/** Runs `vigil` with the arguments. A string is split at spaces. */
export const run = (line: string | ReadonlyArray<string>, options: RunOptions = {}): Effect.Effect<Run> =>
  Effect.suspend(() => {
    const data: Array<ReadonlyArray<string>> = []
    const notes: Array<string> = []
    const statuses: Array<string | undefined> = []
    const questions: Array<string> = []
    const answers = [...(options.answers ?? [])]
    const args = typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line
    return Cli.run(args).pipe(
      Effect.provideService(Output, {
        data: (lines) =>
          Effect.andThen(
            options.watch?.(lines) ?? Effect.void,
            Effect.sync(() => void data.push(lines)),
          ),
        note: (text) =>
          Effect.sync(() => {
            notes.push(text)
            options.onNote?.(text)
          }),
        status: (text) => Effect.sync(() => void statuses.push(text)),
        width: options.width,
        color: options.color ?? false,
      }),
      Effect.provideService(Input, {
        isTerminal: options.answers !== undefined,
        isInteractive: options.answers !== undefined,
        lines: Stream.fromIterable(options.input ?? []),
        ask: (question) =>
          Effect.sync(() => {
            questions.push(question)
            return answers.shift()
          }),
      }),
      Effect.map((code) => ({
        code,
        data: data.flat().flatMap((text) => text.split("\n")),
        notes,
        questions,
        statuses,
      })),
    )
  })

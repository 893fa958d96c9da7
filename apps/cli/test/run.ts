/** Runs the command within the test, and keeps what it prints. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Cli from "../src/Cli.js"
import { Input } from "../src/Input.js"
import { Output, type OutputError } from "../src/output/Output.js"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** A home of the tests' own: neither settings nor tokens of who runs them count, and the keychain is left alone. */
const home = mkdtempSync(join(tmpdir(), "vigil-test-"))
process.once("exit", () => rmSync(home, { recursive: true, force: true }))
Object.assign(process.env, {
  XDG_CONFIG_HOME: join(home, "config"),
  XDG_DATA_HOME: join(home, "data"),
  VIGIL_NO_KEYCHAIN: "1",
})

/** What a run printed, line by line, and its exit code. */
export interface Run {
  readonly code: number
  readonly data: ReadonlyArray<string>
  readonly notes: ReadonlyArray<string>
  /** What was shown in passing. */
  readonly statuses: ReadonlyArray<string | undefined>
  /** What was asked. */
  readonly questions: ReadonlyArray<string>
}

/** Where it runs: how wide the terminal is, the lines of stdin, and what is answered there. Without `answers` it is no terminal. */
export interface Ground {
  readonly width?: number
  readonly color?: boolean
  /** Sees the data as it is printed, and may hold it up, or not take it. */
  readonly watch?: (lines: ReadonlyArray<string>) => Effect.Effect<void, OutputError>
  readonly input?: ReadonlyArray<string>
  readonly answers?: ReadonlyArray<string>
  /** Is told each note when it is written. */
  readonly onNote?: (text: string) => void
}

/** Runs `vigil` with the arguments, or with those of a line (split at spaces). */
export const run = (line: string | ReadonlyArray<string>, ground: Ground = {}): Effect.Effect<Run> =>
  Effect.suspend(() => {
    const data: Array<ReadonlyArray<string>> = []
    const notes: Array<string> = []
    const statuses: Array<string | undefined> = []
    const questions: Array<string> = []
    const answers = [...(ground.answers ?? [])]
    const args = typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line
    return Cli.run(args).pipe(
      Effect.provideService(Output, {
        data: (lines) =>
          Effect.zipRight(
            ground.watch?.(lines) ?? Effect.void,
            Effect.sync(() => void data.push(lines)),
          ),
        note: (text) =>
          Effect.sync(() => {
            notes.push(text)
            ground.onNote?.(text)
          }),
        status: (text) => Effect.sync(() => void statuses.push(text)),
        width: ground.width,
        color: ground.color ?? false,
      }),
      Effect.provideService(Input, {
        isTerminal: ground.answers !== undefined,
        isInteractive: ground.answers !== undefined,
        lines: Stream.fromIterable(ground.input ?? []),
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

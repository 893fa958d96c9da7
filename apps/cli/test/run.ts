/** Runs the command within the test, and keeps what it prints. */
import * as Cli from "../src/Cli.js"
import { Output } from "../src/Output.js"
import * as Effect from "effect/Effect"

/** What a run printed, line by line, and its exit code. */
export interface Run {
  readonly code: number
  readonly data: ReadonlyArray<string>
  readonly notes: ReadonlyArray<string>
}

/** Runs `vigil` with the arguments of a line (split at spaces). */
export const run = (line: string, width?: number): Effect.Effect<Run> =>
  Effect.suspend(() => {
    const data: Array<string> = []
    const notes: Array<string> = []
    return Cli.run(line.split(" ").filter((word) => word !== "")).pipe(
      Effect.provideService(Output, {
        data: (lines) => Effect.sync(() => void data.push(...lines)),
        note: (text) => Effect.sync(() => void notes.push(text)),
        width,
        colour: false,
      }),
      Effect.map((code) => ({ code, data: data.flatMap((text) => text.split("\n")), notes })),
    )
  })

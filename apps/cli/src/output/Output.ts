/** Where the command writes: data on stdout, everything said about it on stderr. */
import { fstatSync } from "node:fs"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Table from "./Table.js"
import * as TerminalText from "./TerminalText.js"

/**
 * The output could not be written. `code` is the system's: `EPIPE` when its reader has gone, as `head` does when it has
 * seen enough; `ENOSPC` when a disk is full.
 */
export class OutputError extends Data.TaggedError("OutputError")<{ readonly code: string | undefined }> {
  override get message() {
    return `The output could not be written (${this.code ?? "unknown reason"}). Check where it goes.`
  }
}

/** The two streams, line by line. */
export interface Service {
  /** Writes lines of data, each with its line break, and waits until they are taken. */
  readonly data: (lines: ReadonlyArray<string>) => Effect.Effect<void, OutputError>
  /** Writes a line about the data, made safe for a terminal. */
  readonly note: (line: string) => Effect.Effect<void>
  /**
   * Shows a line on stderr that the next one, or nothing, takes the place of: progress. Made safe, and cut to the terminal's width;
   * shown on a terminal only that nobody else writes to.
   */
  readonly status: (line: string | undefined) => Effect.Effect<void>
  /** How wide the terminal is, in cells; nothing when stdout is none. */
  readonly width: number | undefined
  /** Whether stdout shows color, and nobody asked it not to (NO_COLOR). */
  readonly color: boolean
}

export class Output extends Context.Tag("@vigil/cli/Output")<Output, Service>() {}

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void, OutputError> =>
  Effect.async((resume) => {
    stream.write(text, (error) =>
      resume(
        error === undefined || error === null
          ? Effect.void
          : new OutputError({ code: "code" in error && typeof error.code === "string" ? error.code : undefined }),
      ),
    )
  })

/** As wide as most terminals are. */
const usual = 80

/** How wide a terminal is, in cells: nothing when it is none, and as most are when it does not say (some say 0). */
export const widthOf = ({ columns, isTTY }: Pick<NodeJS.WriteStream, "columns" | "isTTY">): number | undefined =>
  isTTY ? columns || usual : undefined

/** Forgets what stands on the line. */
const clear = "\r\u001b[2K"

/**
 * Whether a line can be shown there and taken back. Where data goes into a pipe, its reader (`head`, `less`) may write to the same
 * terminal, and would write into that line.
 */
const isTransient = (stream: NodeJS.WriteStream): boolean => {
  if (!stream.isTTY || process.env["TERM"] === "dumb") return false
  const data = fstatSync(process.stdout.fd)
  return !data.isFIFO() && !data.isSocket()
}

/** An empty NO_COLOR is none, and any other is stronger than FORCE_COLOR (https://no-color.org): Node has both otherwise. */
const hasColor = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && (process.env["NO_COLOR"] ?? "") === "" && stream.hasColors({ ...process.env, NO_COLOR: undefined })

/** The process's own streams. A failed write is told to who wrote, and not thrown at the process. */
export const layer: Layer.Layer<Output> = Layer.sync(Output, () => {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined)
  const transient = isTransient(process.stderr)
  let shown: string | undefined
  const show = (line: string | undefined) =>
    Effect.suspend(() => {
      if (!transient || (line === undefined && shown === undefined)) return Effect.void
      shown = line
      const text = line === undefined ? "" : Table.cut(TerminalText.line(line), (widthOf(process.stderr) ?? usual) - 1)
      return Effect.ignore(write(process.stderr, `${clear}${text}`))
    })
  /** What is written stands above the status, which is shown again below it. */
  const beside = <A, E>(written: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const line = shown
      return line === undefined ? written : Effect.zipLeft(Effect.zipRight(show(undefined), written), show(line))
    })
  return {
    data: (lines) =>
      lines.length === 0 ? Effect.void : beside(write(process.stdout, lines.map((line) => `${line}\n`).join(""))),
    note: (line) => beside(Effect.ignore(write(process.stderr, `${TerminalText.line(line)}\n`))),
    status: show,
    width: widthOf(process.stdout),
    color: hasColor(process.stdout),
  }
})

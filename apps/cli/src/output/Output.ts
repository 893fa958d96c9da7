/** Stdout for data, stderr for notes and progress. */
import { fstatSync } from "node:fs"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { codeOf } from "../files/SystemError.js"

/** The output could not be written. `code` is the system's error code: `EPIPE` if the reader is gone, `ENOSPC` if the disk is full. */
export class OutputError extends Data.TaggedError("OutputError")<{ readonly code: string | undefined }> {
  readonly exit = "output"

  override get message() {
    return `The output could not be written (${this.code ?? "unknown reason"}). Check where it goes.`
  }
}

export interface Service {
  readonly data: (lines: ReadonlyArray<string>) => Effect.Effect<void, OutputError>
  readonly note: (line: string) => Effect.Effect<void>
  /** Whether notes of servers begin with the time: stderr is not a terminal. */
  readonly hasTimes?: boolean
  /** Shows or removes the progress line on stderr. Only on a terminal that no other program writes to. */
  readonly status: (line: string | undefined) => Effect.Effect<void>
  /** The width of stdout in cells, if it is a terminal. */
  readonly width: number | undefined
  /** Whether stdout supports color and NO_COLOR is not set. */
  readonly color: boolean
}

export class Output extends Context.Service<Output, Service>()("@vigil/cli/Output") {}

export const data = (lines: ReadonlyArray<string>) => Effect.flatMap(Output, ({ data }) => data(lines))

export const note = (line: string) => Effect.flatMap(Output, ({ note }) => note(line))

/** Begins each note with the time in UTC, such as `2026-11-25T09:30:00Z`, if stderr is not a terminal. */
export const withTimes = (output: Service): Service =>
  output.hasTimes === true
    ? {
        ...output,
        note: (line) =>
          Effect.flatMap(DateTime.now, (now) => output.note(`${DateTime.formatIso(now).slice(0, 19)}Z ${line}`)),
      }
    : output

/** The start of a note about a subject, such as one of several subscriptions. */
export const notePrefix = (subject?: string): string =>
  subject === undefined ? "vigil: " : `vigil: ${TerminalText.line(subject)}: `

export { enumerateSome, plural } from "@vigil/health-text/Sentence"

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void, OutputError> =>
  Effect.callback((resume) => {
    stream.write(text, (error) =>
      resume(error === undefined || error === null ? Effect.void : new OutputError({ code: codeOf(error) })),
    )
  })

const defaultWidth = 80

/** In cells. Some terminals report 0. */
export const widthOf = ({ columns, isTTY }: Pick<NodeJS.WriteStream, "columns" | "isTTY">): number | undefined =>
  isTTY ? columns || defaultWidth : undefined

const clear = "\r\u001b[2K"

/** If data goes into a pipe, its reader (`head`, `less`) may write to the same terminal, into the progress line. */
const canShowStatus = (stream: NodeJS.WriteStream): boolean => {
  if (!stream.isTTY || process.env["TERM"] === "dumb") return false
  const data = fstatSync(process.stdout.fd)
  return !data.isFIFO() && !data.isSocket()
}

/** An empty NO_COLOR is ignored; any other wins over FORCE_COLOR (https://no-color.org), unlike in Node. */
const hasColor = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && (process.env["NO_COLOR"] ?? "") === "" && stream.hasColors({ ...process.env, NO_COLOR: undefined })

/** The streams of the process. A failed write is an error of the writer and does not end the process. */
export const layer: Layer.Layer<Output> = Layer.sync(Output, () => {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined)
  const isShown = canShowStatus(process.stderr)
  let status: string | undefined
  const show = (line: string | undefined) =>
    Effect.suspend(() => {
      if (!isShown || (line === undefined && status === undefined)) return Effect.void
      status = line
      const text = line === undefined ? "" : Wrap.line(line, (widthOf(process.stderr) ?? defaultWidth) - 1)
      return Effect.ignore(write(process.stderr, `${clear}${text}`))
    })
  /** Hides the progress line while something is written. */
  const aboveStatus = <A, E>(write: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const line = status
      return line === undefined ? write : Effect.tap(Effect.andThen(show(undefined), write), show(line))
    })
  return {
    data: (lines) =>
      lines.length === 0 ? Effect.void : aboveStatus(write(process.stdout, lines.map((line) => `${line}\n`).join(""))),
    note: (line) => aboveStatus(Effect.ignore(write(process.stderr, `${TerminalText.safe(line)}\n`))),
    hasTimes: !process.stderr.isTTY,
    status: show,
    width: widthOf(process.stdout),
    color: hasColor(process.stdout),
  }
})

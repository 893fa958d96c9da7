/** Stdin: answers from a terminal, data from a pipe. */
import { createInterface } from "node:readline"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

export class InputError extends Data.TaggedError("InputError")<{ readonly message: string }> {
  readonly exit = "usage"
}

export interface Service {
  readonly isTerminal: boolean
  /** Whether stdin and stderr are a terminal, so that a question can be asked. */
  readonly isInteractive: boolean
  /** The lines of stdin without line breaks. */
  readonly lines: Stream.Stream<string, InputError>
  /** Asks on stderr and waits for a line. Returns `undefined` at the end of the input. Ctrl-C interrupts. */
  readonly ask: (question: string) => Effect.Effect<string | undefined, InputError>
}

export class Input extends Context.Service<Input, Service>()("@vigil/cli/Input") {}

const failed = () => new InputError({ message: "Could not read stdin. Check its source." })

export const askOn =
  (input: NodeJS.ReadableStream, output: NodeJS.WritableStream) =>
  (question: string): Effect.Effect<string | undefined, InputError> =>
    Effect.callback((resume) => {
      const lines = createInterface({ input, output })
      // Closing pauses the input, which the next question resumes.
      const finish = (exit: Effect.Effect<string | undefined, InputError>) => {
        lines.off("close", end)
        lines.close()
        resume(exit)
      }
      const endLine = (exit: Effect.Effect<undefined>) => {
        output.write("\n")
        finish(exit)
      }
      const end = () => endLine(Effect.succeed(undefined))
      // While a line is read, Ctrl-C is a key, not a signal.
      lines.once("SIGINT", () => endLine(Effect.interrupt))
      // Otherwise, the input stays paused after Ctrl-Z, and no key works.
      lines.on("SIGCONT", () => lines.resume())
      lines.once("close", end)
      lines.once("error", () => finish(failed()))
      lines.question(question, (answer) => finish(Effect.succeed(answer)))
      return Effect.sync(() => {
        lines.off("close", end)
        lines.close()
      })
    })

export const layer: Layer.Layer<Input> = Layer.sync(Input, () => ({
  isTerminal: process.stdin.isTTY,
  isInteractive: process.stdin.isTTY && process.stderr.isTTY,
  lines: Stream.suspend(() => Stream.fromAsyncIterable(createInterface({ input: process.stdin }), failed)),
  ask: askOn(process.stdin, process.stderr),
}))

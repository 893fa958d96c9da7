/** What the command reads: answers from a terminal, data from a pipe. */
import { createInterface } from "node:readline"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

/** The input could not be read. */
export class InputError extends Data.TaggedError("InputError")<{ readonly message: string }> {}

/** Stdin, and whether someone sits there. */
export interface Service {
  /** Whether a question can be asked: stdin and stderr are a terminal. */
  readonly isInteractive: boolean
  /** The lines of stdin, without their ends; none when stdin is closed. */
  readonly lines: Stream.Stream<string, InputError>
  /** Asks on stderr, and waits for a line; none at the end of the input. Only where a question can be asked. Ctrl-C is an interruption. */
  readonly ask: (question: string) => Effect.Effect<string | undefined, InputError>
}

export class Input extends Context.Tag("@vigil/cli/Input")<Input, Service>() {}

const failed = () => new InputError({ message: "The input could not be read. Check where it comes from." })

const ask = (question: string): Effect.Effect<string | undefined, InputError> =>
  Effect.async((resume) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    // Only a line that was entered has ended the line of the question.
    const end = () => {
      process.stderr.write("\n")
      resume(Effect.succeed(undefined))
    }
    lines.once("close", end)
    lines.once("error", () => resume(failed()))
    // While it reads keys, the terminal makes no signal of Ctrl-C.
    lines.once("SIGINT", () => {
      resume(Effect.interrupt)
      lines.close()
    })
    lines.question(question, (answer) => {
      lines.off("close", end)
      resume(Effect.succeed(answer))
      lines.close()
    })
    return Effect.sync(() => lines.close())
  })

/** The process's own. */
export const layer: Layer.Layer<Input> = Layer.sync(Input, () => ({
  isInteractive: process.stdin.isTTY && process.stderr.isTTY,
  lines: Stream.suspend(() => Stream.fromAsyncIterable(createInterface({ input: process.stdin }), failed)),
  ask,
}))

/** The error of a command that did not do its work: a sentence, and the name of the exit code. Without a sentence, the output has said it. */
import * as Data from "effect/Data"
import type { Exit } from "./Failure.js"

export class CommandError extends Data.TaggedError("CommandError")<{ readonly exit: Exit; readonly message: string }> {
  constructor(exit: Exit, message: string) {
    super({ exit, message })
  }
}

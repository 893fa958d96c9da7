/** The error for a mistake in a command line, the environment or a file. */
import * as Data from "effect/Data"

export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {
  readonly exit = "usage"

  constructor(message: string) {
    super({ message })
  }
}

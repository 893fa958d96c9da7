/** The error of a command that did not complete its work. */
import * as Data from "effect/Data"

export class Incomplete extends Data.TaggedError("Incomplete")<{ readonly message: string }> {
  readonly exit = "incomplete"
}

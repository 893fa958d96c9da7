/** The error of a file with a client assertion. */
import * as Data from "effect/Data"
import { assertionVariable } from "../settings/ClientSettings.js"

/** `problem` completes the sentence "The file …". */
export class AssertionFileError extends Data.TaggedError("AssertionFileError")<{
  readonly file: string
  readonly problem: string
}> {
  readonly retryable: boolean = false
  override get message() {
    return `The file ${JSON.stringify(this.file)} of ${assertionVariable} ${this.problem}. Check the path and the content.`
  }
}

/** The error for a value that is nested too deeply for an output format. */
import * as Data from "effect/Data"

export class NestedTooDeep extends Data.TaggedError("NestedTooDeep")<{ readonly format: string }> {
  readonly exit = "invalid"

  override get message() {
    return `The response is nested too deeply for --output ${this.format}. Pass another --output.`
  }
}

/** Where JSON departs from the contract. */
import * as Data from "effect/Data"

/**
 * The first place that is not as the contract says, in the document's names (empty for the value as a whole), and why.
 * Holds no value: what was sent is as private, and as hostile, as its sender made it.
 * @category errors
 * @since 0.1.0
 */
export class InvalidField extends Data.TaggedError("InvalidField")<{
  /** Such as `properties.level`. */
  readonly path: string
  /** What is wrong there, in words that follow the place. */
  readonly reason: string
}> {
  override get message() {
    return `${this.path === "" ? "The value" : this.path} ${this.reason}.`
  }
}

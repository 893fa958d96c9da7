/** The error of decoding. */
import * as Data from "effect/Data"

/** The first invalid field. Contains no value of the input, which may be private or hostile. @category errors @since 0.1.0 */
export class InvalidField extends Data.TaggedError("InvalidField")<{
  /** The path in the document's names, such as `properties.level`; empty for the whole value. */
  readonly path: string
  /** The reason, as a phrase that follows the path. */
  readonly reason: string
}> {
  override get message() {
    return `${this.path === "" ? "The value" : this.path} ${this.reason}.`
  }
}

/** The error of decoding. */
import * as Schema from "effect/Schema"

/** The first invalid field. Contains no value of the input, which may be private or hostile. @category errors @since 0.1.0 */
export class InvalidField extends Schema.TaggedError<InvalidField>()("InvalidField", {
  /** The path in the names of the JSON, such as `properties.level`; empty for the whole value. */
  path: Schema.String,
  /** The problem, as a phrase that follows the path. */
  problem: Schema.String,
}) {
  override get message() {
    return `${this.path === "" ? "The value" : this.path} ${this.problem}.`
  }
}

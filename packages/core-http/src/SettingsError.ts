/** The error of invalid options. */
import * as Schema from "effect/Schema"

/**
 * An option is invalid, such as a limit that is zero, a text with characters that a header cannot carry, or a URL over which others could read
 * the credential. The error does not keep the value, which may contain a password.
 * @category errors @since 0.1.0
 */
export class InvalidSetting extends Schema.TaggedError<InvalidSetting>()("InvalidSetting", {
  /** The name of the option, such as `concurrency`. */
  setting: Schema.String,
  /** What the option must be, such as `1 or more`. */
  expected: Schema.String,
}) {
  readonly isRetryable: boolean = false
  override get message(): string {
    return `The option ${this.setting} must be ${this.expected}.`
  }
}

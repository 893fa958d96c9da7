/** The error of invalid options, and the durations among them. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
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

/**
 * Reads the duration of an option, which must be above 0 unless `isValid` says otherwise. Fails with `InvalidSetting`, also for `NaN`.
 * @category parsing @since 0.2.0
 */
export const parseDuration = (
  input: Duration.Input,
  setting: string,
  isValid: (duration: Duration.Duration) => boolean = Duration.isPositive,
  expected = "a duration above 0",
): Effect.Effect<Duration.Duration, InvalidSetting> => {
  const duration = Number.isNaN(input) ? Option.none() : Duration.fromInput(input)
  return Option.isSome(duration) && isValid(duration.value)
    ? Effect.succeed(duration.value)
    : new InvalidSetting({ setting, expected })
}

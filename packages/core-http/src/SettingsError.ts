/** The errors of invalid client options. */
import * as Data from "effect/Data"

const urlOptions = { baseUrl: "The base URL", trustedOrigins: "A trusted origin" }

const baseUrlReasons = {
  malformed: "is not a valid URL",
  scheme: "is not http or https",
  userinfo: "contains a user name or a password",
  query: "has a query or a fragment",
  path: "has a path",
  exposed: "would send the credential over plain HTTP to another machine",
}

/**
 * The base URL or a trusted origin is invalid. The error does not keep the URL, which may contain a password.
 * @category errors @since 0.1.0
 */
export class InvalidBaseUrl extends Data.TaggedError("InvalidBaseUrl")<{
  /** The invalid option. */
  readonly option: keyof typeof urlOptions
  /** Why it is invalid. */
  readonly reason: keyof typeof baseUrlReasons
}> {
  readonly retryable: boolean = false
  override get message() {
    return `${urlOptions[this.option]} ${baseUrlReasons[this.reason]}. Pass a URL such as https://service.example.`
  }
}

/**
 * An option is invalid, such as a limit that is zero, negative or not a number, or a text with characters that a header cannot carry.
 * @category errors @since 0.1.0
 */
export class InvalidSetting extends Data.TaggedError("InvalidSetting")<{
  /** The name of the option, such as `concurrency`. */
  readonly setting: string
  /** What the option must be, such as `1 or more`. */
  readonly expected: string
}> {
  readonly retryable: boolean = false
  override get message() {
    return `The option ${this.setting} must be ${this.expected}.`
  }
}

/** The errors of invalid client options. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"

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
export class InvalidBaseUrl extends Schema.TaggedError<InvalidBaseUrl>()("InvalidBaseUrl", {
  /** The invalid option. */
  option: Schema.Literals(Struct.keys(urlOptions)),
  /** Why it is invalid. */
  reason: Schema.Literals(Struct.keys(baseUrlReasons)),
}) {
  get retryable(): boolean {
    return false
  }
  override get message(): string {
    return `${urlOptions[this.option]} ${baseUrlReasons[this.reason]}. Pass a URL such as https://service.example.`
  }
}

/**
 * An option is invalid, such as a limit that is zero, negative or not a number, or a text with characters that a header cannot carry.
 * @category errors @since 0.1.0
 */
export class InvalidSetting extends Schema.TaggedError<InvalidSetting>()("InvalidSetting", {
  /** The name of the option, such as `concurrency`. */
  setting: Schema.String,
  /** What the option must be, such as `1 or more`. */
  expected: Schema.String,
}) {
  get retryable(): boolean {
    return false
  }
  override get message(): string {
    return `The option ${this.setting} must be ${this.expected}.`
  }
}

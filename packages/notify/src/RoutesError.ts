/** The errors of routes. None contains a value or an unknown key of the document, or a secret. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"

/** A mistake in a routes document. @category schemas @since 0.1.0 */
export const Mistake = Schema.Struct({
  /** Starts at 1. */
  line: Schema.Int,
  /** Starts at 1. */
  column: Schema.Int,
  /** Where the mistake is, such as `routes.0.match.level`; empty for the whole document. */
  path: Schema.String,
  /** What is wrong there, such as `is missing`. An unknown key is not named, because it may be a secret: its line and column are those of the mistake. */
  reason: Schema.String,
})

/** @category models @since 0.1.0 */
export interface Mistake extends Schema.Schema.Type<typeof Mistake> {}

/** The routes document has mistakes. @category errors @since 0.1.0 */
export class RoutesError extends Schema.TaggedError<RoutesError>()("RoutesError", {
  /** All mistakes, in the order of the document. */
  mistakes: Schema.Array(Mistake),
}) {
  readonly isRetryable: boolean = false
  override get message() {
    const lines = this.mistakes.map(
      ({ column, line, path, reason }) =>
        `line ${line}, column ${column}: ${path === "" ? "the document" : path} ${reason}`,
    )
    return `Could not read the routes. Correct the document:\n${lines.join("\n")}`
  }
}

const sources = { env: "the environment variable", file: "the file" }
const reasons = {
  missing: "is not set",
  empty: "is empty",
  irregular: "is not a regular file",
  long: "is too long",
  unreadable: "can't be read",
}

/** A secret that could not be read. @category schemas @since 0.1.0 */
export const MissingSecret = Schema.Struct({
  /** The name of the sink. */
  sink: Schema.String,
  /** The field of the sink, such as `routingKey`. */
  field: Schema.String,
  source: Schema.Literals(Struct.keys(sources)),
  /** The environment variable or the file. */
  name: Schema.String,
  reason: Schema.Literals(Struct.keys(reasons)),
})

/** @category models @since 0.1.0 */
export interface MissingSecret extends Schema.Schema.Type<typeof MissingSecret> {}

/** Secrets of sinks could not be read. @category errors @since 0.1.0 */
export class SecretsError extends Schema.TaggedError<SecretsError>()("SecretsError", {
  /** All secrets that could not be read. */
  secrets: Schema.Array(MissingSecret),
}) {
  readonly isRetryable: boolean = false
  override get message() {
    const lines = this.secrets.map(
      ({ field, name, reason, sink, source }) =>
        `${field} of the sink ${sink}: ${sources[source]} ${name} ${source === "file" && reason === "missing" ? "does not exist" : reasons[reason]}`,
    )
    return `Could not read the secrets of the routes. Set them:\n${lines.join("\n")}`
  }
}

/** The errors of routes. None contains a value or an unknown key of the document, or a secret. */
import * as Data from "effect/Data"

/** A mistake in a routes document. @category models @since 0.1.0 */
export interface Mistake {
  /** Starts at 1. */
  readonly line: number
  /** Starts at 1. */
  readonly column: number
  /** Where the mistake is, such as `routes.0.match.level`; empty for the whole document. */
  readonly path: string
  /** What is wrong there, such as `is missing`. An unknown key is not named, because it may be a secret: its line and column are those of the mistake. */
  readonly reason: string
}

/** The routes document has mistakes. @category errors @since 0.1.0 */
export class RoutesError extends Data.TaggedError("RoutesError")<{
  /** All mistakes, in the order of the document. */
  readonly mistakes: ReadonlyArray<Mistake>
}> {
  readonly isRetryable: boolean = false
  override get message() {
    const lines = this.mistakes.map(
      ({ column, line, path, reason }) =>
        `line ${line}, column ${column}: ${path === "" ? "the document" : path} ${reason}`,
    )
    return `Could not read the routes. Correct the document:\n${lines.join("\n")}`
  }
}

/** A secret that could not be read. @category models @since 0.1.0 */
export interface MissingSecret {
  /** The name of the sink. */
  readonly sink: string
  /** The field of the sink, such as `routingKey`. */
  readonly field: string
  readonly source: "env" | "file"
  /** The environment variable or the file. */
  readonly name: string
  readonly reason: "missing" | "empty" | "irregular" | "long" | "unreadable"
}

const sources = { env: "the environment variable", file: "the file" }
const reasons = {
  missing: "is not set",
  empty: "is empty",
  irregular: "is not a regular file",
  long: "is too long",
  unreadable: "can't be read",
}

/** Secrets of sinks could not be read. @category errors @since 0.1.0 */
export class SecretsError extends Data.TaggedError("SecretsError")<{
  /** All secrets that could not be read. */
  readonly secrets: ReadonlyArray<MissingSecret>
}> {
  readonly isRetryable: boolean = false
  override get message() {
    const lines = this.secrets.map(
      ({ field, name, reason, sink, source }) =>
        `${field} of the sink ${sink}: ${sources[source]} ${name} ${source === "file" && reason === "missing" ? "does not exist" : reasons[reason]}`,
    )
    return `Could not read the secrets of the routes. Set them:\n${lines.join("\n")}`
  }
}

/** The error of a fleet's database. */
import type { MigrationError } from "@effect/sql/Migrator"
import type { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"

/**
 * The database failed. A running fleet fails with it only if it cannot create its tables at the start; later it tries again every second.
 * @category errors @since 0.1.0
 */
export class FleetError extends Data.TaggedError("FleetError")<{
  /** What was attempted, such as `pause subscriptions`. */
  readonly attempt: string
  readonly cause: SqlError | MigrationError
}> {
  /** The name of the service: `fleet`. */
  get service(): string {
    return "fleet"
  }

  /** `true`: the database may work later. */
  get retryable(): boolean {
    return true
  }

  override get message() {
    return `Could not ${this.attempt}: ${reason(this.cause)} Check the database and its URL.`
  }
}

/** The messages of drivers contain parts of statements, but no values. */
const reason = (error: unknown): string => {
  const { cause, message } = error instanceof Error ? error : { cause: undefined, message: String(error) }
  return cause instanceof Error ? reason(cause) : `${message.replace(/[\s.]+$/, "")}.`
}

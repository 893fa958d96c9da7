/** The error of a fleet's database. */
import type { MigrationError } from "effect/sql/Migrator"
import type { SqlError } from "effect/sql/SqlError"
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
  readonly service: string = "fleet"
  /** `true`: the database may work later. */
  readonly retryable: boolean = true
  override get message() {
    const advice = isMissing(this.cause) ? "Start a runner, which creates the tables" : "Check the database and its URL"
    return `Could not ${this.attempt}: ${reason(this.cause)}. ${advice}.`
  }
}

const causeOf = (error: unknown): unknown => {
  // For a name with several addresses, Node reports an error without a message.
  if (error instanceof AggregateError) return error.errors[0]
  return error instanceof Error ? error.cause : undefined
}

/** The error of the driver. Its message may name tables, columns and constraints; `detail`, which has their values, is not shown. */
const innermost = (error: unknown): unknown => {
  const cause = causeOf(error)
  return cause instanceof Error ? innermost(cause) : error
}

const reason = (error: unknown): string => {
  const inner = innermost(error)
  const text = (inner instanceof Error ? inner.message : String(inner)).trim()
  return text.endsWith(".") ? text.slice(0, -1) : text
}

/** The code of Postgres for a missing table. */
const isMissing = (error: unknown): boolean => {
  const inner = innermost(error)
  return inner instanceof Error && "code" in inner && inner.code === "42P01"
}

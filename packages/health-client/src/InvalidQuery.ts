/** The error for an invalid query parameter. */
import * as Data from "effect/Data"

/** A query parameter is invalid. Nothing was requested. @category errors @since 0.1.0 */
export class InvalidQuery extends Data.TaggedError("InvalidQuery")<{
  readonly operation: string
  readonly parameter: "queryStartTime"
  /** The rejected value. */
  readonly value: string
}> {
  readonly service: string = "health"
  readonly retryable: boolean = false
  override get message() {
    return `${this.operation}: ${this.parameter} ${JSON.stringify(this.value)} is neither a date nor a duration. Pass a date such as "2026-03-10" or "3/10/2026", a duration such as "12h" or "3 days", or QueryStartTime.raw(text) to send the text unchanged.`
  }
}

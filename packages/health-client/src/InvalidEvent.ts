/** The error for an entry that does not decode. */
import * as Schema from "effect/Schema"

/** An entry is not an event of the requested version. @category errors @since 0.1.0 */
export class InvalidEvent extends Schema.TaggedError<InvalidEvent>()("InvalidEvent", {
  /** The name of the call, such as `HealthClient.listBySubscription`. */
  operation: Schema.String,
  /** The number of the page, from 1. */
  page: Schema.Int,
  /** The index of the entry in its page, from 0. */
  index: Schema.Int,
  /** The tracking ID in the entry, if it has one; cut to 100 characters. */
  trackingId: Schema.optional(Schema.String),
  /** The path of the invalid field, such as `properties.lastUpdateTime`; empty for the whole entry. */
  path: Schema.String,
  /** What is wrong there, such as `must be text`. */
  problem: Schema.String,
  /** The entry as it was sent. */
  raw: Schema.Unknown,
}) {
  get service(): string {
    return "health"
  }
  readonly isRetryable: boolean = false
  override get message(): string {
    const field = this.path === "" ? "it" : this.path
    const id = this.trackingId === undefined ? "" : ` (${this.trackingId})`
    return `${this.operation}: entry ${this.index} of page ${this.page}${id} is not an event: ${field} ${this.problem}. Skip invalid entries with onInvalid, or report them to the service.`
  }
}

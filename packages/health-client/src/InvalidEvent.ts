/** The error for an entry that does not decode. */
import * as Schema from "effect/Schema"
import * as InvalidEntry from "./InvalidEntry.js"

/** An entry is not an event of the requested version. @category errors @since 0.1.0 */
export class InvalidEvent extends Schema.TaggedError<InvalidEvent>()("InvalidEvent", {
  ...InvalidEntry.fields,
  /** The tracking ID in the entry, if it has one; cut to 200 characters. */
  trackingId: Schema.optional(Schema.String),
}) {
  get service(): string {
    return "health"
  }
  readonly isRetryable: boolean = false
  override get message(): string {
    return InvalidEntry.message(this, "an event", this.trackingId)
  }
}

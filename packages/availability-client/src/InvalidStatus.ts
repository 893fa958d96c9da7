/** The error for an entry that does not decode. */
import * as PlainText from "@vigil/core-http/PlainText"
import * as InvalidEntry from "@vigil/health-listing/InvalidEntry"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

/** An entry is not a status. @category errors @since 0.2.0 */
export class InvalidStatus extends Schema.TaggedError<InvalidStatus>()("InvalidStatus", InvalidEntry.fields) {
  get service(): string {
    return "health"
  }
  readonly isRetryable: boolean = false
  /** The ID of the resource in the entry; `undefined` if it has none. */
  get resourceId(): string | undefined {
    const { raw } = this
    return Predicate.hasProperty(raw, "id") && typeof raw.id === "string"
      ? AvailabilityStatus.resourceId({ id: raw.id })
      : undefined
  }
  override get message(): string {
    const id = this.resourceId
    return InvalidEntry.message(this, "a status", id && PlainText.toSingleLine(id, 200))
  }
}

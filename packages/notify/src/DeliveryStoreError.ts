/** The error of a store of a delivery. */
import * as Schema from "effect/Schema"

/**
 * The state of a sink could not be loaded or saved. `reason` is `unavailable` if the store failed (see `cause`), `unreadable` if a delivery did
 * not write the text.
 * @category errors @since 0.1.0
 */
export class DeliveryStoreError extends Schema.TaggedError<DeliveryStoreError>()("DeliveryStoreError", {
  /** The key in the store. */
  key: Schema.String,
  reason: Schema.Literals(["unavailable", "unreadable"]),
  /** What was attempted. */
  operation: Schema.Literals(["load", "save"]),
  cause: Schema.optional(Schema.ErrorInstance()),
}) {
  /** `true` if the store failed. */
  readonly isRetryable: boolean = this.reason === "unavailable"
  override get message() {
    const key = JSON.stringify(this.key)
    return this.reason === "unavailable"
      ? `Could not ${this.operation} the notifications under ${key}. Check the store.`
      : `The state in the store under ${key} was not written by a delivery. Use another key, or remove this one to start over.`
  }
}

/** The error of a store of a delivery. */
import type * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Data from "effect/Data"

/**
 * The state of a sink could not be loaded or saved. `reason` is `unavailable` if the store failed (see `cause`), `unreadable` if a delivery did
 * not write the text.
 * @category errors @since 0.1.0
 */
export class DeliveryStoreError extends Data.TaggedError("DeliveryStoreError")<{
  /** The key in the store. */
  readonly key: string
  readonly reason: "unavailable" | "unreadable"
  /** What was attempted. */
  readonly operation: "load" | "save"
  readonly cause?: KeyValueStore.KeyValueStoreError
}> {
  /** `true` if the store failed. */
  readonly isRetryable: boolean = this.reason === "unavailable"
  override get message() {
    const key = JSON.stringify(this.key)
    return this.reason === "unavailable"
      ? `Could not ${this.operation} the notifications under ${key}. Check the store.`
      : `The state in the store under ${key} was not written by a delivery. Use another key, or remove this one to start over.`
  }
}

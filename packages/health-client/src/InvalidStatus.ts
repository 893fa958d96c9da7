/** The error for an entry that does not decode. */
import * as PlainText from "@vigil/core-http/PlainText"
import * as Schema from "effect/Schema"
import * as InvalidEntry from "./InvalidEntry.js"
import { resourceIdOf } from "./internal/availability/rawId.js"

/** An entry is not a status. @category errors @since 0.2.0 */
export class InvalidStatus extends Schema.TaggedError<InvalidStatus>()("InvalidStatus", InvalidEntry.fields) {
  get service(): string {
    return "health"
  }
  readonly isRetryable: boolean = false
  /** The ID of the resource in the entry; `undefined` if it has none. */
  get resourceId(): string | undefined {
    return resourceIdOf(this.raw)
  }
  override get message(): string {
    const id = this.resourceId
    return InvalidEntry.message(this, "a status", id && PlainText.toSingleLine(id, 200))
  }
}

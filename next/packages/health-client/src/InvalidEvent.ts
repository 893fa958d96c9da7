/** The error for an entry that does not decode. */
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import * as Data from "effect/Data"

/**
 * An entry is not an event of the requested version: `path` is in the document's names, and `index` counts from 0. `raw` is what was sent.
 * @category errors @since 0.1.0
 */
export class InvalidEvent extends Data.TaggedError("InvalidEvent")<
  EventsPage.InvalidEntry & { readonly operation: string }
> {
  readonly service: string = "health"
  readonly retryable: boolean = false
  override get message() {
    const field = this.path === "" ? "it" : this.path
    return `${this.operation}: entry ${this.index} of a page is not an event: ${field} ${this.reason}. Set onInvalid to skip invalid entries.`
  }
}

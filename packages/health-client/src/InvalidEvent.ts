/** An entry of a page that is no event of the version asked for. */
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import * as Data from "effect/Data"

/**
 * Where on its page the entry stood (`index`, from 0), the place in it in the document's names, and why it is refused.
 * What was sent is in `raw`, and in no message: it is as hostile, and as private, as the service made it. `operation`
 * is the call that read it.
 * @category errors
 * @since 0.1.0
 */
export class InvalidEvent extends Data.TaggedError("InvalidEvent")<
  EventsPage.Invalid & { readonly operation: string }
> {
  /** The name of the service: `health`. */
  get service(): string {
    return "health"
  }

  /** Always `false`: the service would send the same entry again. */
  get retryable(): boolean {
    return false
  }

  override get message() {
    const place = this.path === "" ? "it" : this.path
    return `${this.operation}: entry ${this.index} of a page is not an event: ${place} ${this.reason}. Give onInvalid to go on without it.`
  }
}

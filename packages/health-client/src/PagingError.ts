/** The errors of a list of pages. */
import * as PagingError from "@vigil/paging/PagingError"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Checkpoint } from "./Checkpoint.js"

export { PageLoop } from "@vigil/paging/PagingError"

/**
 * The list continues after `maxPages` pages: `allowed` is its value. The checkpoint is in no message, `JSON.stringify` or log, because its URL
 * may contain a secret. The encoded error contains it.
 * @category errors @since 0.1.0
 */
export class PageLimit extends PagingError.PageLimit.extend<PageLimit>("PageLimit")({
  position: Schema.RedactedFromValue(Checkpoint),
}) {
  /** Pass it as `from` to resume after the last delivered page. A run delivers at least one page. */
  override get checkpoint(): Checkpoint {
    const position: Redacted.Redacted<Checkpoint> = this.position
    return Redacted.value(position)
  }
}

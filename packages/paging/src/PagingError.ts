/** The errors of a stream of pages: schemas, so that they can be sent and stored. */
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Checkpoint from "./Checkpoint.js"

const plural = (pages: number): string => `${pages} page${pages === 1 ? "" : "s"}`

/** The service returned the cursor of an earlier page. `pages` counts the delivered pages of all runs. @category errors @since 0.1.0 */
export class PageLoop extends Schema.TaggedError<PageLoop>()("PageLoop", { pages: Schema.Int }) {
  /** Always `false`: the service would return the same cursors again. */
  readonly isRetryable: boolean = false
  override get message() {
    return `The list repeats after ${plural(this.pages)}: the service links back to an earlier page. Report it to the service.`
  }
}

/**
 * The list continues after `maxPages` pages: `allowed` is its value. The checkpoint is in no message, `JSON.stringify` or log, because its
 * cursor may contain a secret. The encoded error contains it. To encode cursors that are not JSON, extend the class with another `position`.
 * @category errors @since 0.1.0
 */
export class PageLimit<C = Checkpoint.Checkpoint<unknown>> extends Schema.TaggedError<PageLimit>()("PageLimit", {
  allowed: Schema.Int,
  position: Schema.RedactedFromValue(Checkpoint.schema(Schema.make<Schema.Codec<unknown, {}>>(Schema.Unknown.ast))),
}) {
  /** Always `false`: the same call reaches the same limit. */
  readonly isRetryable: boolean = false
  /** Pass it as `from` to resume after the last delivered page. A run delivers at least one page. */
  get checkpoint(): C {
    // The creator of the error states the type.
    return Redacted.value(this.position) as C
  }

  override get message() {
    return `The list continues after ${plural(this.allowed)}. Raise maxPages, narrow the query, or resume from the checkpoint.`
  }
}

/** The errors that paging adds to those of fetching a page. `C` is the type of the checkpoint. @category errors @since 0.1.0 */
export type PagingError<C = Checkpoint.Checkpoint<unknown>> = PageLoop | PageLimit<C>

/** The errors of a stream of pages. */
import * as Data from "effect/Data"
import type { Checkpoint } from "./Checkpoint.js"

/**
 * The service returned the cursor of an earlier page. `pages` counts the pages delivered over all runs. The error does not keep the
 * cursor.
 * @category errors @since 0.1.0
 */
export class PageLoop extends Data.TaggedError("PageLoop")<{ readonly pages: number }> {
  /** Always `false`: the service would return the same cursors again. */
  readonly retryable: boolean = false

  override get message() {
    return `The list repeats after ${this.pages} page${this.pages === 1 ? "" : "s"}: the service links back to an earlier page. Report it to the service.`
  }
}

/**
 * The list continues after `maxPages` pages: `allowed` is its value. The checkpoint is in no message, JSON or log, because its cursor may
 * contain a secret.
 * @category errors @since 0.1.0
 */
export class PageLimit<C = Checkpoint<unknown>> extends Data.TaggedError("PageLimit")<{ readonly allowed: number }> {
  readonly #checkpoint: C

  constructor({ allowed, checkpoint }: { readonly allowed: number; readonly checkpoint: C }) {
    super({ allowed })
    this.#checkpoint = checkpoint
  }

  /** Pass it as `from` to resume after the last page. */
  get checkpoint(): C {
    return this.#checkpoint
  }

  /** Always `false`: the same call reaches the same limit. */
  readonly retryable: boolean = false

  override get message() {
    return `The list continues after ${this.allowed} page${this.allowed === 1 ? "" : "s"}. Raise maxPages, narrow the query, or resume from the checkpoint.`
  }
}

/** The errors that paging adds to those of fetching a page. `C` is the type of the checkpoint. @category errors @since 0.1.0 */
export type PagingError<C = Checkpoint<unknown>> = PageLoop | PageLimit<C>

/** Why a stream of pages fails before the end of the list. */
import * as Data from "effect/Data"
import type { Checkpoint } from "./Checkpoint.js"

/**
 * The service returned a cursor that it returned before, so the list would never end. `pages` is the number of pages delivered
 * before the loop was certain, over all runs. The cursor is not kept, because it may hold a secret.
 * @category errors
 * @since 0.1.0
 */
export class PageLoop extends Data.TaggedError("PageLoop")<{ readonly pages: number }> {
  /** Always `false`: the service would return the same cursors again. */
  readonly retryable: boolean = false

  override get message() {
    return `The list repeats after ${this.pages} page${this.pages === 1 ? "" : "s"}: the service links back to an earlier page. Report it to the service.`
  }
}

/**
 * The list continues after `maxPages` pages or `maxItems` items. `limit` is the option that was reached and `allowed` is its
 * value; exactly that many were delivered. Pass `checkpoint` as `from` to resume: a page that
 * `maxItems` cut is read again. `C` is the type of the checkpoint. The checkpoint is in no message, JSON or log of the error,
 * because its cursor may hold a secret.
 * @category errors
 * @since 0.1.0
 */
export class PageLimit<C = Checkpoint<unknown>> extends Data.TaggedError("PageLimit")<{
  readonly limit: "maxPages" | "maxItems"
  readonly allowed: number
}> {
  readonly #checkpoint: C

  constructor({
    checkpoint,
    ...fields
  }: {
    readonly limit: "maxPages" | "maxItems"
    readonly allowed: number
    readonly checkpoint: C
  }) {
    super(fields)
    this.#checkpoint = checkpoint
  }

  /** Where to resume: the checkpoint of the last page that was delivered whole, or the start of the run. */
  get checkpoint(): C {
    return this.#checkpoint
  }

  /** Always `false`: the same call reaches the same limit. */
  readonly retryable: boolean = false

  override get message() {
    const what = this.limit === "maxPages" ? "page" : "item"
    return `The list continues after ${this.allowed} ${what}${this.allowed === 1 ? "" : "s"}. Raise ${this.limit}, narrow the query, or resume from the checkpoint.`
  }
}

/**
 * The errors that paging adds to those of fetching a page. `C` is the type of the checkpoint in `PageLimit`.
 * @category errors
 * @since 0.1.0
 */
export type PagingError<C = Checkpoint<unknown>> = PageLoop | PageLimit<C>

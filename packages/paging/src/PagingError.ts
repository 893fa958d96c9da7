/** Why a list of pages stops before its end. */
import * as Data from "effect/Data"

/**
 * The service hands out a cursor that it has handed out before, so that the list would never end. `pages` is how many
 * pages were delivered before that was certain, over all runs. The cursor itself is not kept, as it may hold a secret.
 *
 * @category errors
 * @since 0.1.0
 */
export class PageLoop extends Data.TaggedError("PageLoop")<{ readonly pages: number }> {
  override get message() {
    return `The list repeats itself after ${this.pages} page${this.pages === 1 ? "" : "s"}: the service links back to a page that was read already. Everything up to here was delivered; report the loop to the service.`
  }
}

/**
 * The list is longer than the caller allowed: than `maxPages` pages or `maxItems` items, as `limit` says. That many, the
 * `allowed`, were delivered.
 *
 * @category errors
 * @since 0.1.0
 */
export class PageLimit extends Data.TaggedError("PageLimit")<{
  readonly limit: "maxPages" | "maxItems"
  readonly allowed: number
}> {
  override get message() {
    const what = this.limit === "maxPages" ? "page" : "item"
    return `The list goes on after ${this.allowed} ${what}${this.allowed === 1 ? "" : "s"}, the limit that was set. Raise ${this.limit}, narrow the query, or go on from the last checkpoint.`
  }
}

/**
 * What reading a list can end with, beside what fetching a page fails with.
 *
 * @category errors
 * @since 0.1.0
 */
export type PagingError = PageLoop | PageLimit

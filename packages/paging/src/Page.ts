/** A page, as any paged service hands it out: its items, and where the next page is. */
import * as Option from "effect/Option"

/**
 * `items` in the service's order, and the cursor of the next page, `None` on the last one. An empty page with a cursor
 * is not the end. A cursor is whatever the service takes to find a page: a link, a token, an offset.
 * @category models
 * @since 0.1.0
 */
export interface Page<A, Cursor> {
  readonly items: ReadonlyArray<A>
  /** The cursor of the next page; `None` on the last one. */
  readonly next: Option.Option<Cursor>
}

/**
 * A page that others follow.
 * @category constructors
 * @since 0.1.0
 */
export const withNext = <A, Cursor>(items: ReadonlyArray<A>, next: Cursor): Page<A, Cursor> => ({
  items,
  next: Option.some(next),
})

/**
 * The last page.
 * @category constructors
 * @since 0.1.0
 */
export const last = <A>(items: ReadonlyArray<A>): Page<A, never> => ({ items, next: Option.none() })

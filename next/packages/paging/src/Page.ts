/** Pages of a list: their items, and the cursor of the next page. */
import * as Option from "effect/Option"

/**
 * One page of a list. A cursor is whatever the service needs to find a page: a link, a token or an offset.
 * @category models @since 0.1.0
 */
export interface Page<A, Cursor> {
  /** The items, in the service's order. An empty page with a cursor is not the end of the list. */
  readonly items: ReadonlyArray<A>
  /** The cursor of the next page; `None` on the last page. */
  readonly next: Option.Option<Cursor>
}

/** Makes a page that has a next page. @category constructors @since 0.1.0 */
export const withNext = <A, Cursor>(items: ReadonlyArray<A>, next: Cursor): Page<A, Cursor> => ({
  items,
  next: Option.some(next),
})

/** Makes the last page of a list. @category constructors @since 0.1.0 */
export const last = <A>(items: ReadonlyArray<A>): Page<A, never> => ({ items, next: Option.none() })

/** Streams the pages or items of a list: lazily, in order, and within limits. */
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { type Checkpoint, initial } from "./Checkpoint.js"
import { PageLimit, PageLoop, type PagingError } from "./PagingError.js"

/**
 * One page of a list. A cursor is whatever the service needs to find a page: a link, a token or an offset.
 * @category models @since 0.1.0
 */
export interface Page<A, Cursor> {
  /** The items, in the service's order. An empty page with a cursor is not the end of the list. */
  readonly items: ReadonlyArray<A>
  /** The cursor of the next page; `undefined` or `null` on the last page. */
  readonly next: Cursor | null | undefined
}

/** Options: the list starts at the cursor of its `first` page, or `from` a checkpoint. @category models @since 0.1.0 */
export type Options<P extends Page<unknown, Cursor>, Cursor, E, R> = (
  | { readonly first: Cursor; readonly from?: undefined }
  | { readonly from: Checkpoint<Cursor>; readonly first?: undefined }
) & {
  /** Fetches the page at a cursor. Called once per page, sequentially, and only while the stream is read. */
  readonly fetch: (cursor: Cursor) => Effect.Effect<P, E, R>
  /** Fails with `PageLimit` if the list continues after this many pages in one run. NaN and numbers below 1 mean 1. Default: no limit. */
  readonly maxPages?: number | undefined
  /**
   * Whether the cursor of an earlier page fails with `PageLoop`. Pass `false` if cursors can stay the same, as scroll IDs do: then only
   * `maxPages` ends an endless list. Default: `true`.
   */
  readonly detectLoops?: boolean | undefined
  /**
   * Returns what identifies the page of a cursor, if several cursors lead to one page, such as links with parameters in another order. Loops are
   * detected by it, with `Equal.equals`. Default: the cursor.
   */
  readonly key?: ((cursor: Cursor) => unknown) | undefined
}

/** Options without `maxPages`: the stream has no `PageLimit`. @category models @since 0.2.0 */
export type Unlimited<P extends Page<unknown, Cursor>, Cursor, E, R> = Options<P, Cursor, E, R> & {
  readonly maxPages?: undefined
}

/** One element of `pages`. @category models @since 0.1.0 */
export interface Delivery<P extends Page<unknown, Cursor>, Cursor> {
  /** The page as `fetch` returned it, unchanged. */
  readonly page: P
  /** The items of the page. */
  readonly items: P["items"]
  /** Pass it as `from` to resume after this page. */
  readonly checkpoint: Checkpoint<Cursor>
}

/** The next page. */
interface Position<Cursor> {
  readonly cursor: Cursor
  readonly checkpoint: Checkpoint<Cursor>
  /** Counts the pages of this run. */
  readonly fetched: number
  /** The key of the previous page. */
  readonly previous: unknown
  /** Brent's cycle detection, in constant memory: the key of the last page with a number 1, 3, 7, 15, … of this run. */
  readonly mark: unknown
}

/**
 * Streams what `emit` returns for each page, as one chunk of the stream. `pages` and `items` are such streams.
 * @category streams @since 0.3.0
 */
export const mapPages = <A, P extends Page<unknown, Cursor>, Cursor, E, R>(
  options: Options<P, Cursor, E, R>,
  emit: (delivery: Delivery<P, Cursor>) => ReadonlyArray<A>,
): Stream.Stream<A, E | PagingError<Checkpoint<Cursor>>, R> => {
  const { detectLoops = true, fetch, key = (cursor: Cursor): unknown => cursor, maxPages = Infinity } = options
  const from = options.from ?? initial(options.first)
  const fetchPage = ({
    checkpoint,
    cursor,
    fetched,
    mark,
    previous,
  }: Position<Cursor>): Effect.Effect<
    readonly [ReadonlyArray<A>, Option.Option<Position<Cursor>>],
    E | PagingError<Checkpoint<Cursor>>,
    R
  > => {
    const current = key(cursor)
    if (fetched > 0) {
      // The second page has no mark, and a key may be `undefined`.
      if (detectLoops && (Equal.equals(previous, current) || (fetched > 1 && Equal.equals(mark, current))))
        return new PageLoop({ pages: checkpoint.pages })
      // Also for NaN.
      if (!(fetched < Math.floor(maxPages)))
        return new PageLimit<Checkpoint<Cursor>>({ allowed: fetched, position: Redacted.make(checkpoint) })
    }
    return Effect.map(fetch(cursor), (page) => {
      const { items } = page
      const next = page.next ?? undefined
      const after = { next, pages: checkpoint.pages + 1, items: checkpoint.items + items.length }
      return [
        emit({ page, items, checkpoint: after }),
        Option.map(Option.fromUndefinedOr(next), (next) => ({
          cursor: next,
          checkpoint: after,
          fetched: fetched + 1,
          previous: current,
          mark: (fetched & (fetched + 1)) === 0 ? previous : mark,
        })),
      ] as const
    })
  }
  const cursor = from.next
  return cursor === undefined
    ? Stream.empty
    : Stream.paginate({ cursor, checkpoint: from, fetched: 0, previous: undefined, mark: undefined }, fetchPage)
}

/**
 * Streams the pages of a list, in order, each with the checkpoint after it. The stream emits every page before it fails.
 * @category streams @since 0.1.0
 */
export function pages<P extends Page<unknown, Cursor>, Cursor, E, R>(
  options: Unlimited<P, Cursor, E, R>,
): Stream.Stream<Delivery<P, Cursor>, E | PageLoop, R>
export function pages<P extends Page<unknown, Cursor>, Cursor, E, R>(
  options: Options<P, Cursor, E, R>,
): Stream.Stream<Delivery<P, Cursor>, E | PageLoop | PageLimit<Checkpoint<Cursor>>, R>
export function pages<P extends Page<unknown, Cursor>, Cursor, E, R>(options: Options<P, Cursor, E, R>) {
  return mapPages(options, (page) => [page])
}

/**
 * Streams the items of a list, in order. Each page with items is one chunk of the stream; a page without items is none.
 * @category streams @since 0.1.0
 */
export function items<A, Cursor, E, R>(
  options: Unlimited<Page<A, Cursor>, Cursor, E, R>,
): Stream.Stream<A, E | PageLoop, R>
export function items<A, Cursor, E, R>(
  options: Options<Page<A, Cursor>, Cursor, E, R>,
): Stream.Stream<A, E | PageLoop | PageLimit<Checkpoint<Cursor>>, R>
export function items<A, Cursor, E, R>(options: Options<Page<A, Cursor>, Cursor, E, R>) {
  return mapPages(options, ({ items }) => items)
}

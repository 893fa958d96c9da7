/** Streams the pages or items of a list: lazily, in order, and within limits. */
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import type * as Equivalence from "effect/Equivalence"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type Checkpoint, initial } from "./Checkpoint.js"
import type { Page } from "./Page.js"
import { PageLimit, PageLoop, type PagingError } from "./PagingError.js"

/** Where a list starts: at the cursor of its `first` page, or `from` a checkpoint. @category models @since 0.1.0 */
export type Start<Cursor> =
  | { readonly first: Cursor; readonly from?: undefined }
  | { readonly from: Checkpoint<Cursor>; readonly first?: undefined }

/** One element of `pages`. @category models @since 0.1.0 */
export interface Delivery<P extends Page<unknown, Cursor>, Cursor> {
  /** The page as `next` returned it, unchanged. */
  readonly page: P
  /** The items of the page. */
  readonly items: P["items"]
  /** Pass it as `from` to resume after this page. */
  readonly checkpoint: Checkpoint<Cursor>
}

/** How a list is read. @category models @since 0.1.0 */
export interface Settings<P extends Page<unknown, Cursor>, Cursor, E, R> {
  /** Fetches the page at a cursor. Called once per page, sequentially, and only while the stream is read. */
  readonly next: (cursor: Cursor) => Effect.Effect<P, E, R>
  /** Fails with `PageLimit` if the list continues after this many pages in one run. NaN and numbers below 1 allow 0. Default: no limit. */
  readonly maxPages?: number | undefined
  /** Whether two cursors lead to the same page, to detect loops. Default: `Equal.equals`, for strings, numbers and structures. */
  readonly equivalence?: Equivalence.Equivalence<Cursor> | undefined
}

/** Options for reading a list: where it starts, and how it is read. @category models @since 0.1.0 */
export type Options<P extends Page<unknown, Cursor>, Cursor, E, R> = Start<Cursor> & Settings<P, Cursor, E, R>

/** `fetched` counts the pages of this run. */
interface Position<Cursor> {
  readonly cursor: Cursor
  readonly checkpoint: Checkpoint<Cursor>
  readonly fetched: number
  /** Brent's cycle detection, in constant memory: the cursor of the last page with a number 1, 3, 7, 15, … of this run. */
  readonly mark: Cursor
}

type NextPosition<Cursor> = Effect.Effect<Position<Cursor>, PagingError<Checkpoint<Cursor>>>

/** Streams what `emit` selects of each page. */
const read = <A, P extends Page<unknown, Cursor>, Cursor, E, R>(
  options: Options<P, Cursor, E, R>,
  emit: (delivery: Delivery<P, Cursor>) => ReadonlyArray<A>,
): Stream.Stream<A, E | PagingError<Checkpoint<Cursor>>, R> => {
  const { equivalence = Equal.equals, maxPages = Infinity, next } = options
  const from = options.from ?? initial(options.first)
  const allowed = maxPages >= 1 ? Math.floor(maxPages) : 0

  const checkLimit = (position: Position<Cursor>): NextPosition<Cursor> =>
    position.fetched < allowed ? Effect.succeed(position) : new PageLimit({ allowed, checkpoint: position.checkpoint })

  const advance = (
    { cursor, fetched, mark }: Position<Cursor>,
    next: Cursor,
    checkpoint: Checkpoint<Cursor>,
  ): NextPosition<Cursor> =>
    equivalence(cursor, next) || equivalence(mark, next)
      ? new PageLoop({ pages: checkpoint.pages })
      : checkLimit({
          cursor: next,
          checkpoint,
          fetched: fetched + 1,
          mark: ((fetched + 1) & (fetched + 2)) === 0 ? cursor : mark,
        })

  const fetchPage = (nextPosition: NextPosition<Cursor>) =>
    Effect.flatMap(nextPosition, (position) =>
      Effect.map(next(position.cursor), (page) => {
        const checkpoint = {
          next: page.next,
          pages: position.checkpoint.pages + 1,
          items: position.checkpoint.items + page.items.length,
        }
        return [
          emit({ page, items: page.items, checkpoint }),
          Option.map(page.next, (cursor) => advance(position, cursor, checkpoint)),
        ] as const
      }),
    )

  return Option.match(from.next, {
    onNone: () => Stream.empty,
    onSome: (cursor) => Stream.paginate(checkLimit({ cursor, checkpoint: from, fetched: 0, mark: cursor }), fetchPage),
  })
}

/**
 * Streams the pages of a list, in order, each with the checkpoint after it. The stream emits every page before it fails.
 * @category streams @since 0.1.0
 */
export const pages = <P extends Page<unknown, Cursor>, Cursor, E, R>(
  options: Options<P, Cursor, E, R>,
): Stream.Stream<Delivery<P, Cursor>, E | PagingError<Checkpoint<Cursor>>, R> => read(options, (page) => [page])

/**
 * Streams the items of a list, in order. Each page is one chunk of the stream.
 * @category streams @since 0.1.0
 */
export const items = <A, Cursor, E, R>(
  options: Options<Page<A, Cursor>, Cursor, E, R>,
): Stream.Stream<A, E | PagingError<Checkpoint<Cursor>>, R> => read(options, ({ items }) => items)

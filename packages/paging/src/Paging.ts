/** Streams the pages or items of a list: lazily, in order, and within limits. */
import * as Chunk from "effect/Chunk"
import type * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import type * as Equivalence from "effect/Equivalence"
import * as Stream from "effect/Stream"
import { type Checkpoint, initial } from "./Checkpoint.js"
import { fetchPages, type List, type PageDelivery } from "./internal/fetchPages.js"
import { noGate, prefetch } from "./internal/prefetch.js"
import type { Page } from "./Page.js"
import type { PagingError } from "./PagingError.js"

/** Where a list starts: at the cursor of its `first` page, or `from` a checkpoint. @category models @since 0.1.0 */
export type Start<Cursor> =
  | { readonly first: Cursor; readonly from?: undefined }
  | { readonly from: Checkpoint<Cursor>; readonly first?: undefined }

/** Counts of what was delivered, over all runs: a checkpoint carries them. @category models @since 0.1.0 */
export interface Progress {
  /** The number of pages. */
  readonly pages: number
  /** The number of items. */
  readonly items: number
}

/** One element of `pages`. @category models @since 0.1.0 */
export interface Delivery<P extends Page<unknown, Cursor>, Cursor> {
  /** The page as `next` returned it, unchanged. */
  readonly page: P
  /** The items of the page. If the page exceeds `maxItems`, only the allowed ones. */
  readonly items: P["items"]
  /** Pass it as `from` to resume after this page. */
  readonly checkpoint: Checkpoint<Cursor>
}

/** How a list is read. Numbers are rounded down. @category models @since 0.1.0 */
export interface Settings<P extends Page<unknown, Cursor>, Cursor, E, R> {
  /** Fetches the page at a cursor. Called once per page, sequentially, and only while the stream is read. */
  readonly next: (cursor: Cursor) => Effect.Effect<P, E, R>
  /** How many pages to fetch ahead of the consumer, and to keep in memory. Default, and for NaN and numbers below 1: 0. */
  readonly prefetch?: number | undefined
  /** Fails with `PageLimit` if the list continues after this many pages in one run. NaN and numbers below 1 allow 0. Default: no limit. */
  readonly maxPages?: number | undefined
  /** Fails with `PageLimit` if the list continues after this many items in one run. NaN and numbers below 1 allow 0. Default: no limit. */
  readonly maxItems?: number | undefined
  /** Runs for each page before the consumer gets it. */
  readonly onProgress?: ((progress: Progress) => Effect.Effect<unknown>) | undefined
  /** Whether two cursors lead to the same page, to detect loops. Default: `Equal.equals`, for strings, numbers and `Data`. */
  readonly equivalence?: Equivalence.Equivalence<Cursor> | undefined
}

/** Options for reading a list: where it starts, and how it is read. @category models @since 0.1.0 */
export type Options<P extends Page<unknown, Cursor>, Cursor, E, R> = Start<Cursor> & Settings<P, Cursor, E, R>

/** A limit, rounded down; 0 for NaN and for numbers below 1. */
const toLimit = (number = Number.POSITIVE_INFINITY): number => (number >= 1 ? Math.floor(number) : 0)

const read = <P extends Page<unknown, Cursor>, Cursor, E, R>(
  options: Options<P, Cursor, E, R>,
): Stream.Stream<PageDelivery<P, Cursor>, E | PagingError<Checkpoint<Cursor>>, R> => {
  const list: List<P, Cursor, E, R> = {
    from: options.from ?? initial(options.first),
    next: options.next,
    maxPages: toLimit(options.maxPages),
    maxItems: toLimit(options.maxItems),
    equivalence: options.equivalence ?? Equal.equals,
  }
  const depth = toLimit(options.prefetch ?? 0)
  const stream = depth > 0 ? prefetch(depth, (gate) => fetchPages(list, gate)) : fetchPages(list, noGate)
  const { onProgress } = options
  return onProgress === undefined ? stream : Stream.tap(stream, ({ progress }) => onProgress(progress))
}

/**
 * Streams the pages of a list, in order, each with the checkpoint after it. The stream emits every page before it fails. If a
 * page exceeds `maxItems`, its checkpoint is the one before it, so that resuming loses no item.
 * @category streams @since 0.1.0
 */
export const pages = <P extends Page<unknown, Cursor>, Cursor, E, R>(
  options: Options<P, Cursor, E, R>,
): Stream.Stream<Delivery<P, Cursor>, E | PagingError<Checkpoint<Cursor>>, R> =>
  Stream.map(read(options), ({ checkpoint, items, page }) => ({ page, items, checkpoint }))

/**
 * Streams the items of a list, in order. Each page is one chunk of the stream. Without `onProgress`, an empty chunk follows each page but the
 * last.
 * @category streams @since 0.1.0
 */
export const items = <A, Cursor, E, R>(
  options: Options<Page<A, Cursor>, Cursor, E, R>,
): Stream.Stream<A, E | PagingError<Checkpoint<Cursor>>, R> =>
  Stream.mapConcatChunk(read(options), ({ items }) => Chunk.unsafeFromArray(items))

/** Pages become a stream: lazy, in order, and never for ever. */
import * as Chunk from "effect/Chunk"
import type * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import type * as Equivalence from "effect/Equivalence"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Checkpoint } from "./Checkpoint.js"
import { ahead, open } from "./internal/ahead.js"
import { type Reading, type Turn, turns } from "./internal/reading.js"
import type { Page } from "./Page.js"
import type { PagingError } from "./PagingError.js"

/**
 * Where a list is read from: its `first` page, or `from` a checkpoint of an earlier reading. One of the two.
 * @category models
 * @since 0.1.0
 */
export type Start<Cursor> =
  | { readonly first: Cursor; readonly from?: undefined }
  | { readonly from: Checkpoint<Cursor>; readonly first?: undefined }

/**
 * How much was handed over so far, over all runs: a checkpoint carries the counts.
 * @category models
 * @since 0.1.0
 */
export interface Progress {
  /** Whole pages. */
  readonly pages: number
  /** What stood on them. */
  readonly items: number
}

/**
 * One element of `pages`.
 * @category models
 * @since 0.1.0
 */
export interface Delivery<P extends Page<unknown, Cursor>, Cursor> {
  /** The page as `next` returned it, unchanged. */
  readonly page: P
  /** The items of the page. If the page crosses `maxItems`, the allowed ones only. */
  readonly items: P["items"]
  /** Pass it as `from` to resume after this page. */
  readonly checkpoint: Checkpoint<Cursor>
}

/**
 * How a list is read. Numbers are rounded down.
 * @category models
 * @since 0.1.0
 */
export interface Settings<P extends Page<unknown, Cursor>, Cursor, E, R> {
  /** Fetches the page at a cursor. Called once a page, never twice at a time, and not before the stream is read. */
  readonly next: (cursor: Cursor) => Effect.Effect<P, E, R>
  /**
   * How many pages may be fetched ahead of the one that the consumer has, in a fiber of their own. They are kept in memory.
   * Default, and for NaN and anything below 1: none, a page is fetched when it is asked for.
   */
  readonly prefetch?: number | undefined
  /**
   * A guard: if the list continues after this many pages in one run, the stream fails with `PageLimit`. To stop early without an
   * error, use `Stream.take`. NaN and anything below 1 allow none. Default: no limit.
   */
  readonly maxPages?: number | undefined
  /**
   * A guard: if the list continues after this many items in one run, the stream fails with `PageLimit`. No request is made to find
   * out. To stop early without an error, use `Stream.take`. NaN and anything below 1 allow none. Default: no limit.
   */
  readonly maxItems?: number | undefined
  /** Run as each page is handed over, before the consumer has it. */
  readonly onProgress?: ((progress: Progress) => Effect.Effect<unknown>) | undefined
  /**
   * Whether two cursors find the same page, to tell when the list repeats itself. Default: `Equal.equals`, which is right
   * for texts, numbers, and data that compares by value; objects of another kind need their own.
   */
  readonly equivalence?: Equivalence.Equivalence<Cursor> | undefined
}

/**
 * What a list is read by: where it begins, and how it goes on.
 * @category models
 * @since 0.1.0
 */
export type Options<P extends Page<unknown, Cursor>, Cursor, E, R> = Start<Cursor> & Settings<P, Cursor, E, R>

/** The whole part of a number; nothing of one that is none, or below nothing. */
const whole = (number: number): number => (number >= 1 ? Math.floor(number) : 0)

/** Every page in its turn, fetched ahead and reported as the options say. */
const read = <P extends Page<unknown, Cursor>, Cursor, E, R>(
  options: Options<P, Cursor, E, R>,
): Stream.Stream<Turn<P, Cursor>, E | PagingError<Checkpoint<Cursor>>, R> => {
  const reading: Reading<P, Cursor, E, R> = {
    from: options.from ?? { next: Option.some(options.first), pages: 0, items: 0 },
    next: options.next,
    maxPages: whole(options.maxPages ?? Number.POSITIVE_INFINITY),
    maxItems: whole(options.maxItems ?? Number.POSITIVE_INFINITY),
    equivalence: options.equivalence ?? Equal.equals,
  }
  const depth = whole(options.prefetch ?? 0)
  const stream = depth > 0 ? ahead(depth, (gate) => turns(reading, gate)) : turns(reading, open)
  const { onProgress } = options
  return onProgress === undefined
    ? stream
    : Stream.tap(stream, ({ pages, total }) => onProgress({ pages, items: total }))
}

/**
 * The pages of a list, in order, each with its checkpoint: pass the checkpoint as `from` to resume after that page. A failure (a
 * loop, a limit, a failed fetch) comes after every page before it. Loops of any length are found with constant memory, afresh in
 * each run. If a page crosses `maxItems`, `items` holds only the allowed ones and the checkpoint is the one before the page, so
 * that resuming reads the page again and loses no item.
 * @category streams
 * @since 0.1.0
 */
export const pages = <P extends Page<unknown, Cursor>, Cursor, E, R>(
  options: Options<P, Cursor, E, R>,
): Stream.Stream<Delivery<P, Cursor>, E | PagingError<Checkpoint<Cursor>>, R> =>
  Stream.map(read(options), ({ checkpoint, items, page }) => ({ page, items, checkpoint }))

/**
 * The items of a list, in order, a chunk a page. Between two pages there is an empty chunk, as a stream holds on to the last one that it
 * emitted: nothing holds a page while the next one is on its way.
 * @category streams
 * @since 0.1.0
 */
export const items = <A, Cursor, E, R>(
  options: Options<Page<A, Cursor>, Cursor, E, R>,
): Stream.Stream<A, E | PagingError<Checkpoint<Cursor>>, R> =>
  Stream.mapConcatChunk(read(options), ({ items }) => Chunk.unsafeFromArray(items))

/** Pages become a stream: lazy, in order, and never for ever. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import type * as Equivalence from "effect/Equivalence"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as cycle from "./internal/cycle.js"
import type { Page } from "./Page.js"
import { PageLimit, PageLoop, type PagingError } from "./PagingError.js"

/**
 * How a list is read.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options<P extends Page<unknown, Cursor>, Cursor, E, R> {
  /** Where the first page is. */
  readonly first: Cursor
  /** Fetches the page at a cursor. Called once a page, when the page is asked for and not before. */
  readonly next: (cursor: Cursor) => Effect.Effect<P, E, R>
  /** How many pages may be read; more is a `PageLimit`. Default: no limit. */
  readonly maxPages?: number | undefined
  /**
   * Whether two cursors find the same page, to tell when the list repeats itself. Default: `Equal.equals`, which is right
   * for texts, numbers, and data that compares by value; objects of another kind need their own.
   */
  readonly equivalence?: Equivalence.Equivalence<Cursor> | undefined
}

interface Reading<Cursor> {
  readonly cursor: Cursor
  readonly pages: number
  readonly trail: cycle.Trail<Cursor>
}

type Step<Cursor> = Effect.Effect<Reading<Cursor>, PagingError>

/**
 * The pages of a list, in order. A page is fetched when it is asked for; what stops the list (a loop, a limit, a failed
 * fetch) comes after every page that was read. Loops of any length are found with constant memory.
 *
 * @category streams
 * @since 0.1.0
 */
export const pages = <P extends Page<unknown, Cursor>, Cursor, E, R>({
  equivalence = Equal.equals,
  first,
  maxPages = Number.POSITIVE_INFINITY,
  next,
}: Options<P, Cursor, E, R>): Stream.Stream<P, E | PagingError, R> => {
  /** To the page at a cursor, unless it is one page too many. */
  const to = (reading: Reading<Cursor>): Step<Cursor> =>
    reading.pages < maxPages ? Effect.succeed(reading) : new PageLimit({ maxPages })

  /** On from a page to the one that it names, unless it was read before. */
  const on = ({ cursor, pages, trail }: Reading<Cursor>, following: Cursor): Step<Cursor> => {
    const walked = cycle.step(trail, cursor)
    return equivalence(cursor, following) || equivalence(walked.mark, following)
      ? new PageLoop({ pages: pages + 1 })
      : to({ cursor: following, pages: pages + 1, trail: walked })
  }

  return Stream.paginateEffect(to({ cursor: first, pages: 0, trail: cycle.start(first) }), (step) =>
    Effect.flatMap(step, (reading) =>
      Effect.map(next(reading.cursor), (page): [P, Option.Option<Step<Cursor>>] => [
        page,
        Option.map(page.next, (following) => on(reading, following)),
      ]),
    ),
  )
}

/**
 * The items of a list, in order, a chunk a page.
 *
 * @category streams
 * @since 0.1.0
 */
export const items = <A, Cursor, E, R>(
  options: Options<Page<A, Cursor>, Cursor, E, R>,
): Stream.Stream<A, E | PagingError, R> =>
  Stream.mapConcatChunk(pages(options), (page) => Chunk.unsafeFromArray(page.items))

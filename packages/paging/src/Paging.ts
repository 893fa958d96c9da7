/** Pages become a stream: lazy, in order, and never for ever. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
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
}

interface Reading<Cursor> {
  readonly cursor: Cursor
  readonly pages: number
  readonly trail: cycle.Trail<Cursor>
}

/** What is to be done after a page: read on, stop with an error, or end. */
const after = <Cursor>(
  { cursor, pages, trail }: Reading<Cursor>,
  next: Cursor,
  maxPages: number,
): Effect.Effect<Reading<Cursor>, PagingError> => {
  const read = pages + 1
  const walked = cycle.step(trail, cursor)
  if (Equal.equals(cursor, next) || cycle.closes(walked, next)) return new PageLoop({ pages: read })
  if (read >= maxPages) return new PageLimit({ maxPages })
  return Effect.succeed({ cursor: next, pages: read, trail: walked })
}

/**
 * The pages of a list, in order. A page is fetched when it is asked for; what stops the list (a loop, a limit, a failed
 * fetch) comes after every page that was read. Loops of any length are found with constant memory.
 *
 * @category streams
 * @since 0.1.0
 */
export const pages = <P extends Page<unknown, Cursor>, Cursor, E, R>({
  first,
  maxPages = Number.POSITIVE_INFINITY,
  next,
}: Options<P, Cursor, E, R>): Stream.Stream<P, E | PagingError, R> =>
  Stream.paginateEffect<Effect.Effect<Reading<Cursor>, PagingError>, P, E | PagingError, R>(
    Effect.succeed({ cursor: first, pages: 0, trail: cycle.start(first) }),
    (reading) =>
      Effect.flatMap(reading, (now) =>
        Effect.map(next(now.cursor), (page): [P, Option.Option<Effect.Effect<Reading<Cursor>, PagingError>>] => [
          page,
          Option.map(page.next, (cursor) => after(now, cursor, maxPages)),
        ]),
      ),
  )

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

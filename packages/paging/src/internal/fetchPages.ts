/** Fetches the pages of a list in order, within the limits. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type * as Equivalence from "effect/Equivalence"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Checkpoint } from "../Checkpoint.js"
import type { Page } from "../Page.js"
import { PageLimit, PageLoop, type PagingError } from "../PagingError.js"
import type { Gate } from "./prefetch.js"

/** The options of a list, with every default filled in. Limits are whole numbers or infinite. */
export interface List<P extends Page<unknown, Cursor>, Cursor, E, R> {
  readonly from: Checkpoint<Cursor>
  readonly next: (cursor: Cursor) => Effect.Effect<P, E, R>
  readonly maxPages: number
  readonly maxItems: number
  readonly equivalence: Equivalence.Equivalence<Cursor>
}

/** A page with its allowed items. `progress` counts them even if `checkpoint` is the one before a page that `maxItems` cut. */
export interface PageDelivery<P extends Page<unknown, Cursor>, Cursor> {
  readonly page: P
  readonly items: P["items"]
  readonly checkpoint: Checkpoint<Cursor>
  readonly progress: { readonly pages: number; readonly items: number }
}

/** `fetched` counts the pages of this run, `remaining` the items still allowed in it. */
interface Position<Cursor> {
  readonly cursor: Cursor
  readonly checkpoint: Checkpoint<Cursor>
  readonly fetched: number
  readonly remaining: number
  /** Brent's cycle detection, in constant memory: the cursor of the last page with a number 1, 3, 7, 15, … of this run. */
  readonly mark: Cursor
}

type NextPosition<Cursor> = Effect.Effect<Position<Cursor>, PagingError<Checkpoint<Cursor>>>

/** Emits a chunk, and returns the effect that emits the next one. */
interface Step<P extends Page<unknown, Cursor>, Cursor, E, R> extends Effect.Effect<
  readonly [Chunk.Chunk<PageDelivery<P, Cursor>>, Option.Option<Step<P, Cursor, E, R>>],
  E | PagingError<Checkpoint<Cursor>>,
  R
> {}

/** `gate` runs before each fetch. */
export const fetchPages = <P extends Page<unknown, Cursor>, Cursor, E, R>(
  { equivalence, from, next, ...limits }: List<P, Cursor, E, R>,
  gate: Gate,
): Stream.Stream<PageDelivery<P, Cursor>, E | PagingError<Checkpoint<Cursor>>, R> => {
  const limitError = (limit: PageLimit["limit"], { checkpoint }: Position<Cursor>) =>
    new PageLimit({ limit, allowed: limits[limit], checkpoint })

  const checkLimits = (position: Position<Cursor>): NextPosition<Cursor> => {
    if (position.fetched >= limits.maxPages) return limitError("maxPages", position)
    return position.remaining > 0 ? Effect.succeed(position) : limitError("maxItems", position)
  }

  const advance = (
    { checkpoint: previous, cursor, fetched, mark, remaining }: Position<Cursor>,
    next: Cursor,
    checkpoint: Checkpoint<Cursor>,
  ): NextPosition<Cursor> =>
    equivalence(cursor, next) || equivalence(mark, next)
      ? new PageLoop({ pages: checkpoint.pages })
      : checkLimits({
          cursor: next,
          checkpoint,
          fetched: fetched + 1,
          remaining: remaining + previous.items - checkpoint.items,
          mark: ((fetched + 1) & (fetched + 2)) === 0 ? cursor : mark,
        })

  const fetchPage = (nextPosition: NextPosition<Cursor>): Step<P, Cursor, E, R> =>
    Effect.flatMap(nextPosition, (position) =>
      Effect.map(Effect.zipRight(gate(position.fetched), next(position.cursor)), (page) => {
        const items = page.items.slice(0, position.remaining)
        const isCut = items.length < page.items.length
        const progress = { pages: position.checkpoint.pages + 1, items: position.checkpoint.items + items.length }
        // Resuming reads a cut page again, because that is the only way to get its other items.
        const checkpoint = isCut ? position.checkpoint : { next: page.next, ...progress }
        return [
          Chunk.of({ page, items, checkpoint, progress }),
          isCut
            ? Option.some(limitError("maxItems", position))
            : Option.map(page.next, (cursor) => emitEmptyChunk(advance(position, cursor, checkpoint))),
        ]
      }),
    )

  // A stream retains its last chunk. Without an empty one, the garbage collector copies each page until the next one arrives (5 % of the
  // time of `pnpm bench race`).
  const emitEmptyChunk = (nextPosition: NextPosition<Cursor>): Step<P, Cursor, E, R> =>
    Effect.sync(() => [Chunk.empty(), Option.some(fetchPage(nextPosition))])

  return Option.match(from.next, {
    onNone: () => Stream.empty,
    onSome: (cursor) => {
      const first = checkLimits({ cursor, checkpoint: from, fetched: 0, remaining: limits.maxItems, mark: cursor })
      return Stream.paginateChunkEffect(fetchPage(first), (step) => step)
    },
  })
}

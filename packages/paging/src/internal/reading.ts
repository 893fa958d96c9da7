/** One reading of a list: from page to page, within its limits, until it ends or must not go on. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type * as Equivalence from "effect/Equivalence"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Checkpoint } from "../Checkpoint.js"
import type { Page } from "../Page.js"
import { PageLimit, PageLoop, type PagingError } from "../PagingError.js"
import type { Gate } from "./ahead.js"
import * as cycle from "./cycle.js"

/** How a list is read, every default filled in; limits are whole numbers, or none. */
export interface Reading<P extends Page<unknown, Cursor>, Cursor, E, R> {
  readonly from: Checkpoint<Cursor>
  readonly next: (cursor: Cursor) => Effect.Effect<P, E, R>
  readonly maxPages: number
  readonly maxItems: number
  readonly equivalence: Equivalence.Equivalence<Cursor>
}

/** A page on its way to the consumer: those of its items that are allowed, where to go on, how much that makes. */
export interface Turn<P extends Page<unknown, Cursor>, Cursor> {
  readonly page: P
  readonly items: P["items"]
  readonly checkpoint: Checkpoint<Cursor>
  readonly pages: number
  readonly total: number
}

/** Before the page at `cursor`: `pages` and `items` over all runs, `read` pages in this one, `room` for items left in it. */
interface Place<Cursor> {
  readonly cursor: Cursor
  readonly pages: number
  readonly items: number
  readonly read: number
  readonly room: number
  readonly trail: cycle.Trail<Cursor>
}

type Step<Cursor> = Effect.Effect<Place<Cursor>, PagingError<Checkpoint<Cursor>>>

/** What comes next in a stream of turns, and what comes after that. */
interface Stage<P extends Page<unknown, Cursor>, Cursor, E, R> extends Effect.Effect<
  readonly [Chunk.Chunk<Turn<P, Cursor>>, Option.Option<Stage<P, Cursor, E, R>>],
  E | PagingError<Checkpoint<Cursor>>,
  R
> {}

/** The checkpoint in front of the page at a place. */
const before = <Cursor>({ cursor, items, pages }: Place<Cursor>): Checkpoint<Cursor> => ({
  next: Option.some(cursor),
  pages,
  items,
})

/** The turns of a list, each fetch behind the gate. */
export const turns = <P extends Page<unknown, Cursor>, Cursor, E, R>(
  { equivalence, from, maxItems, maxPages, next }: Reading<P, Cursor, E, R>,
  gate: Gate,
): Stream.Stream<Turn<P, Cursor>, E | PagingError<Checkpoint<Cursor>>, R> => {
  const tooManyItems = (place: Place<Cursor>) =>
    new PageLimit({ limit: "maxItems", allowed: maxItems, checkpoint: before(place) })

  /** To the page at a place, unless it is one too many. */
  const to = (place: Place<Cursor>): Step<Cursor> => {
    if (place.read >= maxPages)
      return new PageLimit({ limit: "maxPages", allowed: maxPages, checkpoint: before(place) })
    return place.room > 0 ? Effect.succeed(place) : tooManyItems(place)
  }

  /** On from a page to the one that it names, unless it was read before. */
  const on = (place: Place<Cursor>, cursor: Cursor, items: number): Step<Cursor> => {
    const pages = place.pages + 1
    const trail = cycle.step(place.trail, place.cursor)
    return equivalence(place.cursor, cursor) || equivalence(trail.mark, cursor)
      ? new PageLoop({ pages })
      : to({ cursor, pages, items: place.items + items, read: place.read + 1, room: place.room - items, trail })
  }

  const turn = (place: Place<Cursor>, page: P): readonly [Turn<P, Cursor>, Option.Option<Step<Cursor>>] => {
    const pages = place.pages + 1
    if (page.items.length > place.room) {
      const items = page.items.slice(0, place.room)
      // The rest of the page is delivered only by reading it again: its checkpoint is the one before it.
      const total = place.items + items.length
      return [{ page, items, checkpoint: before(place), pages, total }, Option.some(tooManyItems(place))]
    }
    const { items, next } = page
    const total = place.items + items.length
    return [
      { page, items, checkpoint: { next, pages, items: total }, pages, total },
      Option.map(next, (cursor) => on(place, cursor, items.length)),
    ]
  }

  /** The page that a step leads to, and the stage behind it. */
  const fetched = (step: Step<Cursor>): Stage<P, Cursor, E, R> =>
    Effect.flatMap(step, (place) =>
      Effect.map(Effect.zipRight(gate(place.read), next(place.cursor)), (page) => {
        const [handed, following] = turn(place, page)
        return [Chunk.of(handed), Option.map(following, letGo)]
      }),
    )

  /**
   * Nothing, between two pages. A stream holds on to what it emitted last; if that was a page, the garbage collector would copy
   * it about for as long as the next one is on its way.
   */
  const letGo = (step: Step<Cursor>): Stage<P, Cursor, E, R> =>
    Effect.sync(() => [Chunk.empty(), Option.some(fetched(step))])

  return Option.match(from.next, {
    onNone: () => Stream.empty,
    onSome: (cursor) => {
      const { items, pages } = from
      const first = to({ cursor, pages, items, read: 0, room: maxItems, trail: cycle.start(cursor) })
      return Stream.paginateChunkEffect(fetched(first), (stage) => stage)
    },
  })
}

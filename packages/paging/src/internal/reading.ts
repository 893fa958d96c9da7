/** Reads a list page by page, within its limits. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type * as Equivalence from "effect/Equivalence"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Checkpoint } from "../Checkpoint.js"
import type { Page } from "../Page.js"
import { PageLimit, PageLoop, type PagingError } from "../PagingError.js"
import type { Gate } from "./ahead.js"

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

/** Before the page at `cursor`, to which `checkpoint` leads: `read` pages in this run, `room` for items left in it. */
interface Place<Cursor> {
  readonly cursor: Cursor
  readonly checkpoint: Checkpoint<Cursor>
  readonly read: number
  readonly room: number
  /** Brent's cycle detection, which finds every loop with one cursor: it is `steps` pages back, and moves up after `power` of them. */
  readonly mark: Cursor
  readonly steps: number
  readonly power: number
}

type Step<Cursor> = Effect.Effect<Place<Cursor>, PagingError<Checkpoint<Cursor>>>

/** What comes next in a stream of turns, and what comes after that. */
interface Stage<P extends Page<unknown, Cursor>, Cursor, E, R> extends Effect.Effect<
  readonly [Chunk.Chunk<Turn<P, Cursor>>, Option.Option<Stage<P, Cursor, E, R>>],
  E | PagingError<Checkpoint<Cursor>>,
  R
> {}

/** The turns of a list, each fetch behind the gate. */
export const turns = <P extends Page<unknown, Cursor>, Cursor, E, R>(
  { equivalence, from, next, ...limits }: Reading<P, Cursor, E, R>,
  gate: Gate,
): Stream.Stream<Turn<P, Cursor>, E | PagingError<Checkpoint<Cursor>>, R> => {
  const exceeded = (limit: PageLimit["limit"], { checkpoint }: Place<Cursor>) =>
    new PageLimit({ limit, allowed: limits[limit], checkpoint })

  /** To the page at a place, unless it is one too many. */
  const to = (place: Place<Cursor>): Step<Cursor> => {
    if (place.read >= limits.maxPages) return exceeded("maxPages", place)
    return place.room > 0 ? Effect.succeed(place) : exceeded("maxItems", place)
  }

  /** On from a page to the one that it names, unless it was read before. */
  const on = (place: Place<Cursor>, cursor: Cursor, checkpoint: Checkpoint<Cursor>): Step<Cursor> => {
    const hasDoubled = place.steps + 1 === place.power
    const trail = hasDoubled
      ? { mark: place.cursor, steps: 0, power: place.power * 2 }
      : { mark: place.mark, steps: place.steps + 1, power: place.power }
    const room = place.room + place.checkpoint.items - checkpoint.items
    return equivalence(place.cursor, cursor) || equivalence(trail.mark, cursor)
      ? new PageLoop({ pages: checkpoint.pages })
      : to({ cursor, checkpoint, read: place.read + 1, room, ...trail })
  }

  const turn = (place: Place<Cursor>, page: P): readonly [Turn<P, Cursor>, Option.Option<Step<Cursor>>] => {
    const { checkpoint: before, room } = place
    const { items: all, next } = page
    const items = all.slice(0, room)
    const isCut = items.length < all.length
    const pages = before.pages + 1
    const total = before.items + items.length
    // The rest of a page that is cut is delivered only by reading it again: its checkpoint is the one before it.
    const checkpoint = isCut ? before : { next, pages, items: total }
    return [
      { page, items, checkpoint, pages, total },
      isCut ? Option.some(exceeded("maxItems", place)) : Option.map(next, (cursor) => on(place, cursor, checkpoint)),
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
   * An empty chunk between two pages. A stream retains its last chunk, and the garbage collector would copy a page there until the next
   * one arrives (5 % of the time of `pnpm bench race`).
   */
  const letGo = (step: Step<Cursor>): Stage<P, Cursor, E, R> =>
    Effect.sync(() => [Chunk.empty(), Option.some(fetched(step))])

  return Option.match(from.next, {
    onNone: () => Stream.empty,
    onSome: (cursor) => {
      const loop = { mark: cursor, steps: 0, power: 1 }
      const first = to({ cursor, checkpoint: from, read: 0, room: limits.maxItems, ...loop })
      return Stream.paginateChunkEffect(fetched(first), (stage) => stage)
    },
  })
}

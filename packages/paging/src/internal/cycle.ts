/** Brent's cycle detection over cursors: finds every loop, and remembers one cursor only. */
import * as Equal from "effect/Equal"

/** What is remembered of the cursors seen so far. */
export interface Trail<Cursor> {
  readonly mark: Cursor
  readonly steps: number
  readonly power: number
}

/** A trail that begins at `cursor`. */
export const start = <Cursor>(cursor: Cursor): Trail<Cursor> => ({ mark: cursor, steps: 0, power: 1 })

/** Whether `cursor` closes a loop with the trail behind it. */
export const closes = <Cursor>(trail: Trail<Cursor>, cursor: Cursor): boolean => Equal.equals(trail.mark, cursor)

/** The trail after one more cursor: the mark moves up whenever the distance from it has doubled. */
export const step = <Cursor>(trail: Trail<Cursor>, cursor: Cursor): Trail<Cursor> =>
  trail.steps + 1 === trail.power
    ? { mark: cursor, steps: 0, power: trail.power * 2 }
    : { ...trail, steps: trail.steps + 1 }

/** Brent's cycle detection over cursors: finds every loop, and remembers one cursor only. */

/** What is remembered of the cursors seen so far. A cursor that is the `mark` again closes a loop. */
export interface Trail<Cursor> {
  readonly mark: Cursor
  readonly steps: number
  readonly power: number
}

/** A trail that begins at `cursor`. */
export const start = <Cursor>(cursor: Cursor): Trail<Cursor> => ({ mark: cursor, steps: 0, power: 1 })

/** The trail after one more cursor: the mark moves up whenever the distance from it has doubled. */
export const step = <Cursor>(trail: Trail<Cursor>, cursor: Cursor): Trail<Cursor> =>
  trail.steps + 1 === trail.power
    ? { mark: cursor, steps: 0, power: trail.power * 2 }
    : { ...trail, steps: trail.steps + 1 }

/** Where a list goes on, to be kept while nobody reads it. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * A place between two pages: the cursor of the `next` one, `None` at the end of the list, and how many `pages` and `items`
 * were delivered on the way here, over all runs. Keep it as safe as the cursor, which may hold a secret.
 * @category models
 * @since 0.1.0
 */
export interface Checkpoint<Cursor> {
  readonly next: Option.Option<Cursor>
  readonly pages: number
  readonly items: number
}

/**
 * The beginning of a list, for when nothing was stored yet: `from: stored ?? Checkpoint.start(first)`.
 * @category constructors
 * @since 0.1.0
 */
export const start = <Cursor>(first: Cursor): Checkpoint<Cursor> => ({ next: Option.some(first), pages: 0, items: 0 })

/**
 * A checkpoint as plain JSON: `{ "next": "…", "pages": 3, "items": 120 }`, `next` null at the end of the list; with
 * `Schema.parseJson` around it, a text. Anything else that was stored is a `ParseError`. No cursor may be encoded as null,
 * which is the end.
 * @category schemas
 * @since 0.1.0
 */
export const schema = <Cursor, I extends NonNullable<unknown>, R>(
  cursor: Schema.Schema<Cursor, I, R>,
): Schema.Schema<Checkpoint<Cursor>, { readonly next: I | null; readonly pages: number; readonly items: number }, R> =>
  Schema.Struct({
    next: Schema.OptionFromNullOr(cursor),
    pages: Schema.NonNegativeInt,
    items: Schema.NonNegativeInt,
  })

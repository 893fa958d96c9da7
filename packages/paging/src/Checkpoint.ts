/** Checkpoints: where to resume a list. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

/**
 * A position between two pages, with the counts of all runs so far. Protect it like its cursor, which may contain a secret.
 * @category models @since 0.1.0
 */
export interface Checkpoint<Cursor> {
  /** The cursor of the next page; `undefined` at the end of the list. */
  readonly next: Cursor | undefined
  /** The number of delivered pages. */
  readonly pages: number
  /** The number of delivered items. */
  readonly items: number
}

/**
 * The checkpoint at the beginning of a list, for the first run: `from: stored ?? Checkpoint.initial(first)`.
 * @category constructors @since 0.1.0
 */
export const initial = <Cursor>(first: Cursor): Checkpoint<Cursor> => ({ next: first, pages: 0, items: 0 })

const count = Schema.Int.check(Schema.makeFilter((count) => count >= 0, { expected: "0 or more" }))

/**
 * The JSON schema of a checkpoint: `{ "next": "…", "pages": 3, "items": 120 }`. A cursor must not encode to null, which marks the end.
 * @category schemas @since 0.1.0
 */
export const schema = <Cursor, I extends NonNullable<unknown>, R>(cursor: Schema.Codec<Cursor, I, R, R>) =>
  Schema.Struct({
    next: Schema.NullOr(cursor).pipe(
      Schema.decodeTo(
        Schema.UndefinedOr(Schema.toType(cursor)),
        SchemaTransformation.transform<Cursor | undefined, Cursor | null>({
          decode: (next) => next ?? undefined,
          encode: (next) => next ?? null,
        }),
      ),
    ),
    pages: count,
    items: count,
  })

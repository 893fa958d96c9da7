/** Where to resume a list of events. */
import * as PagingCheckpoint from "@vigil/paging/Checkpoint"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { List as ListSchema } from "./internal/list.js"

/** Identifies the list that a checkpoint belongs to. @category models @since 0.1.0 */
export interface List extends Schema.Schema.Type<typeof ListSchema> {}

/**
 * A position between two pages of a list: pass it as `from` to resume there. `next` is the absolute URL of the next page (`undefined` at
 * the end); `pages` and `items` count what all runs delivered. The URL may contain a secret, so store the checkpoint safely.
 * @category models @since 0.1.0
 */
export interface Checkpoint extends PagingCheckpoint.Checkpoint<string> {
  /** When the list was started. A `queryStartTime` such as `"30 days"` counts back from this time in every run. */
  readonly startedAt: DateTime.Utc
  /** The list that the checkpoint belongs to. A call for another list fails with `CheckpointMismatch`. */
  readonly list: List
}

/** A checkpoint as JSON: `next` is `null` at the end, `startedAt` is in milliseconds since 1970. @category models @since 0.1.0 */
export interface Encoded extends Omit<Checkpoint, "next" | "startedAt"> {
  readonly next: string | null
  readonly startedAt: number
}

/**
 * Encodes a checkpoint as JSON. Invalid input fails with `SchemaError`. The URL is checked when the page is fetched: another origin fails
 * with the reason `Link`.
 * @category schemas @since 0.1.0
 */
export const Checkpoint: Schema.Codec<Checkpoint, Encoded> = Schema.Struct({
  ...PagingCheckpoint.schema(Schema.String).fields,
  startedAt: Schema.DateTimeUtcFromMillis,
  list: ListSchema,
})

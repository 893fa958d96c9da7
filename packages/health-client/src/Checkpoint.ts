/** Where to resume a list of events. */
import * as PagingCheckpoint from "@vigil/paging/Checkpoint"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"

/**
 * The list that a checkpoint belongs to: what the call that started it asked for. A call that resumes it must ask for the same.
 * @category models
 * @since 0.1.0
 */
export interface List {
  /** The client's base URL, as the URL parser writes it, without a slash at its end. */
  readonly baseUrl: string
  /** The vendor part of `<vendor>.ResourceHealth`. */
  readonly vendor: string
  /** Whose events the list has. */
  readonly scope: "subscription" | "resource"
  /** The ID of the subscription, or of the resource without its first slash. */
  readonly id: string
  /** The version of the API. */
  readonly apiVersion: string
  /** The text of `$filter`; empty without a filter. */
  readonly filter: string
  /** The instant from which on events count (ISO 8601), or the text that was sent; empty without a start. */
  readonly queryStartTime: string
}

/**
 * A place between two pages of a list: pass it as `from` to resume there. `next` is the absolute URL of the next page, `None` at the
 * end of the list; `pages` and `items` count what was delivered so far, over all runs. Store it as safely as a secret, because the
 * URL may hold one.
 * @category models
 * @since 0.1.0
 */
export interface Checkpoint extends PagingCheckpoint.Checkpoint<string> {
  /** When the list was started. A `queryStartTime` such as `"30 days"` counts back from here in every run. */
  readonly startedAt: DateTime.Utc
  /** What the checkpoint belongs to. A call that asks for another list fails with `CheckpointMismatch`. */
  readonly list: List
}

/**
 * A checkpoint as JSON: `next` is `null` at the end of the list, and `startedAt` is in milliseconds since 1970.
 * @category models
 * @since 0.1.0
 */
export interface Encoded extends Omit<Checkpoint, "next" | "startedAt"> {
  readonly next: string | null
  readonly startedAt: number
}

/**
 * Encodes a checkpoint to plain JSON; with `Schema.parseJson` around it, to a string. Decoding anything else fails with a
 * `ParseError`. The URL in it is not checked here: the client refuses another origin with `LinkRefused` when it fetches the page.
 * @category schemas
 * @since 0.1.0
 */
export const Checkpoint: Schema.Schema<Checkpoint, Encoded> = Schema.extend(
  PagingCheckpoint.schema(Schema.String),
  Schema.Struct({
    startedAt: Schema.DateTimeUtcFromNumber,
    list: Schema.Struct({
      baseUrl: Schema.String,
      vendor: Schema.String,
      scope: Schema.Literal("subscription", "resource"),
      id: Schema.String,
      apiVersion: Schema.String,
      filter: Schema.String,
      queryStartTime: Schema.String,
    }),
  }),
)

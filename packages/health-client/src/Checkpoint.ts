/** Where to resume a list of events. */
import * as PagingCheckpoint from "@vigil/paging/Checkpoint"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"

const List = Schema.Struct({
  /** The client's base URL, normalized, without a trailing slash. */
  baseUrl: Schema.String,
  /** The vendor part of `<vendor>.ResourceHealth`. */
  vendor: Schema.String,
  /** What is listed: the events of a subscription, resource or tenant, or the impacted resources of an event. */
  scope: Schema.Literals(["subscription", "resource", "tenant", "impactedResources", "securityAdvisoryResources"]),
  /**
   * The ID of the list:
   * - subscription: its ID
   * - resource: its ID without the leading slash
   * - tenant: empty, because the checkpoint does not identify it
   * - impacted resources: the subscription ID, a slash and the tracking ID
   */
  id: Schema.String,
  /** The version of the API. */
  apiVersion: Schema.String,
  /** The text of `$filter`; empty without a filter. */
  filter: Schema.String,
  /** The start as ISO 8601, or the raw text; empty without a start. */
  queryStartTime: Schema.String,
})

/** Identifies the list that a checkpoint belongs to. @category models @since 0.1.0 */
export interface List extends Schema.Schema.Type<typeof List> {}

/**
 * A position between two pages of a list: pass it as `from` to resume there. `next` is the absolute URL of the next page (`None` at the
 * end); `pages` and `items` count what all runs delivered. The URL may contain a secret, so store the checkpoint safely.
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
 * with `LinkRefused`.
 * @category schemas @since 0.1.0
 */
export const Checkpoint: Schema.Codec<Checkpoint, Encoded> = Schema.Struct({
  ...PagingCheckpoint.schema(Schema.String).fields,
  startedAt: Schema.DateTimeUtcFromMillis,
  list: List,
})

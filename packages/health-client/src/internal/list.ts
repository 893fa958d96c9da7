/** What identifies a list; public as `Checkpoint.List`. */
import * as Schema from "effect/Schema"

export const List = Schema.Struct({
  /** The client's base URL, normalized, without a trailing slash. */
  baseUrl: Schema.String,
  /** The vendor part of `<vendor>.ResourceHealth`. */
  vendor: Schema.String,
  /** What is listed, such as `subscription` for its events. */
  scope: Schema.String,
  /**
   * Whose list it is:
   * - a subscription: its ID
   * - a resource: its ID without the leading slash
   * - an event: the subscription ID, a slash and the tracking ID
   * - the tenant: empty, because the checkpoint does not identify it
   */
  id: Schema.String,
  /** The version of the API. */
  apiVersion: Schema.String,
  /** The text of `$filter`; empty without a filter. */
  filter: Schema.String,
  /** The start as ISO 8601, or the raw text; empty without a start. */
  queryStartTime: Schema.String,
  /** The text of `$expand`; absent without one. */
  expand: Schema.optional(Schema.String),
})

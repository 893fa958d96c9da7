/** What identifies a list; public as `Checkpoint.List`. */
import * as Schema from "effect/Schema"

export const List = Schema.Struct({
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

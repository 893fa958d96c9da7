/** One entry of the timeline of an event in a region (record `update`). */
import * as Schema from "effect/Schema"
import type * as ApiVersion from "./ApiVersion.js"
import * as Enumerations from "./Enumerations.js"
import { list, optional, record } from "./internal/record.js"
import * as Timestamp from "./Timestamp.js"

const fields = {
  summary: optional(Schema.String),
  updateDateTime: optional(Timestamp.Timestamp),
}

/**
 * The record in each version; `eventTags` is of 2025-05-01 only. Services send updates in any order.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Update = {
  "2025-05-01": record("Update", { ...fields, eventTags: optional(list(Enumerations.EventTag)) }, "2025-05-01"),
  "2025-04-01": record("Update", fields, "2025-04-01"),
}

/**
 * @category models
 * @since 0.1.0
 */
export type Update<V extends ApiVersion.ApiVersion = ApiVersion.Latest> = Schema.Schema.Type<
  (typeof Update)[ApiVersion.SchemaVersion<V>]
>

/** Who created and last changed a record, and when (record `systemData`, version 2025-04-01 only). */
import * as Schema from "effect/Schema"
import * as Enumerations from "./Enumerations.js"
import { optional, record } from "./internal/record.js"
import * as Timestamp from "./Timestamp.js"

/**
 * Times are UTC.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SystemData = record("SystemData", {
  createdAt: optional(Timestamp.Timestamp),
  createdBy: optional(Schema.String),
  createdByType: optional(Enumerations.CreatedByType),
  lastModifiedAt: optional(Timestamp.Timestamp),
  lastModifiedBy: optional(Schema.String),
  lastModifiedByType: optional(Enumerations.CreatedByType),
})

/**
 * @category models
 * @since 0.1.0
 */
export interface SystemData extends Schema.Schema.Type<typeof SystemData> {}

/** Which services an event touches, and where (records `impact` and `impactedServiceRegion`). */
import * as Schema from "effect/Schema"
import type * as ApiVersion from "./ApiVersion.js"
import * as Enumerations from "./Enumerations.js"
import { list, optional, record } from "./internal/record.js"
import * as Timestamp from "./Timestamp.js"
import * as Update from "./Update.js"

const region = {
  impactedRegion: optional(Schema.String),
  impactedSubscriptions: optional(list(Schema.String)),
  impactedTenants: optional(list(Schema.String)),
  lastUpdateTime: optional(Timestamp.Timestamp),
  status: optional(Enumerations.EventStatus),
}

/**
 * A region of an impacted service, in each version. `updates` is withheld for sensitive events.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ImpactedServiceRegion = {
  "2025-05-01": record(
    "ImpactedServiceRegion",
    { ...region, updates: optional(list(Update.Update["2025-05-01"])) },
    "2025-05-01",
  ),
  "2025-04-01": record(
    "ImpactedServiceRegion",
    { ...region, updates: optional(list(Update.Update["2025-04-01"])) },
    "2025-04-01",
  ),
}

/**
 * @category models
 * @since 0.1.0
 */
export type ImpactedServiceRegion<V extends ApiVersion.ApiVersion = ApiVersion.Latest> = Schema.Schema.Type<
  (typeof ImpactedServiceRegion)[ApiVersion.SchemaVersion<V>]
>

const service = {
  impactedService: optional(Schema.String),
  impactedServiceGuid: optional(Schema.String),
}

/**
 * An impacted service with its regions, in each version. `impactedServiceGuid` is the service's permanent identifier.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Impact = {
  "2025-05-01": record(
    "Impact",
    { ...service, impactedRegions: optional(list(ImpactedServiceRegion["2025-05-01"])) },
    "2025-05-01",
  ),
  "2025-04-01": record(
    "Impact",
    { ...service, impactedRegions: optional(list(ImpactedServiceRegion["2025-04-01"])) },
    "2025-04-01",
  ),
}

/**
 * @category models
 * @since 0.1.0
 */
export type Impact<V extends ApiVersion.ApiVersion = ApiVersion.Latest> = Schema.Schema.Type<
  (typeof Impact)[ApiVersion.SchemaVersion<V>]
>

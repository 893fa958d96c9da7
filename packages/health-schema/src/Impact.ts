/** Affected services and regions, and their updates (records `impact`, `impactedServiceRegion`, `update`). */
import * as Schema from "effect/Schema"
import type * as ApiVersion from "./ApiVersion.js"
import * as Enumerations from "./Enumerations.js"
import { optional, text } from "./internal/record.js"
import {
  type Fields,
  type Own,
  type SchemaVersion,
  type Version,
  type Wire,
  schemaVersion,
  versioned,
  versions,
} from "./internal/versions.js"
import * as Timestamp from "./Timestamp.js"

const update = { summary: text, updateDateTime: optional(Timestamp.Timestamp) }

const region = {
  impactedRegion: text,
  impactedSubscriptions: optional(Schema.Array(Schema.String)),
  impactedTenants: optional(Schema.Array(Schema.String)),
  lastUpdateTime: optional(Timestamp.Timestamp),
  status: optional(Enumerations.EventStatus),
}

const service = { impactedService: text, impactedServiceGuid: text }

type Updates = { readonly [K in Version]: Fields<typeof update> & Fields<Own<K>["update"]> }

type Regions = {
  readonly [K in Version]: Fields<typeof region> & { readonly updates?: ReadonlyArray<Updates[K]> | null }
}

type Services = {
  readonly [K in Version]: Fields<typeof service> & {
    readonly impactedRegions?: ReadonlyArray<Regions[K]> | null
  }
}

/** An affected service and its regions. `impactedServiceGuid` is permanent. @category models @since 0.1.0 */
export type Impact<V extends ApiVersion.ApiVersion = ApiVersion.Default> = Services[SchemaVersion<V>]

/** A region of an affected service. Lists withhold the `updates` of sensitive events. @category models @since 0.1.0 */
export type ImpactedServiceRegion<V extends ApiVersion.ApiVersion = ApiVersion.Default> = Regions[SchemaVersion<V>]

/** An update on a region. Services send updates in any order. @category models @since 0.1.0 */
export type Update<V extends ApiVersion.ApiVersion = ApiVersion.Default> = Updates[SchemaVersion<V>]

/** Returns the schema of an affected service of a version. @category schemas @since 0.1.0 */
export const schema = <V extends ApiVersion.ApiVersion>(version: V): Schema.Codec<Impact<V>, Wire<Impact<V>>> => {
  const known = schemaVersion(version)
  const updates = versioned("Update", { ...update, ...versions[known].update }, known)
  const regions = versioned("ImpactedServiceRegion", { ...region, updates: optional(Schema.Array(updates)) }, known)
  return versioned("Impact", { ...service, impactedRegions: optional(Schema.Array(regions)) }, known)
}

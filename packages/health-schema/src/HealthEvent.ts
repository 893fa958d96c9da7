/** A service health event in both versions: the parsed JSON itself, checked, with its type (record `event`). */
import type * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Schema from "effect/Schema"
import * as ApiVersion from "./ApiVersion.js"
import * as Article from "./Article.js"
import * as Enumerations from "./Enumerations.js"
import * as Faq from "./Faq.js"
import * as Impact from "./Impact.js"
import type { InvalidField } from "./InvalidField.js"
import { check } from "./internal/issue.js"
import { finite, int32, integer, list, optional, record } from "./internal/record.js"
import * as Limits from "./Limits.js"
import * as Link from "./Link.js"
import * as RecommendedActions from "./RecommendedActions.js"
import * as SystemData from "./SystemData.js"
import * as Timestamp from "./Timestamp.js"

const properties = {
  additionalInformation: optional(record("AdditionalInformation", { message: optional(Schema.String) })),
  article: optional(Article.Article),
  description: optional(Schema.String),
  duration: optional(int32),
  enableChatWithUs: optional(Schema.Boolean),
  enableVendorSupport: optional(Schema.Boolean),
  eventLevel: optional(Enumerations.EventLevel),
  eventSource: optional(Enumerations.EventSource),
  eventTags: optional(list(Enumerations.EventTag)),
  externalIncidentId: optional(Schema.String),
  faqs: optional(list(Faq.Faq)),
  header: optional(Schema.String),
  hirStage: optional(Schema.String),
  impactMitigationTime: optional(Timestamp.Timestamp),
  impactStartTime: optional(Timestamp.Timestamp),
  impactType: optional(Schema.String),
  isEventSensitive: optional(Schema.Boolean),
  isHIR: optional(Schema.Boolean),
  lastUpdateTime: optional(Timestamp.Timestamp),
  level: optional(Enumerations.Level),
  links: optional(list(Link.Link)),
  platformInitiated: optional(Schema.Boolean),
  priority: optional(integer(Limits.highestPriority, Limits.lowestPriority)),
  reason: optional(Schema.String),
  recommendedActions: optional(RecommendedActions.RecommendedActions),
  status: optional(Enumerations.EventStatus),
  summary: optional(Schema.String),
  title: optional(Schema.String),
}

/**
 * `properties` of an event, in each version: `duration` in seconds, `priority` from 0 (highest) to 23, rates as doubles.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Properties = {
  "2025-05-01": record(
    "Properties",
    {
      ...properties,
      billingId: optional(Schema.String),
      currencyType: optional(Schema.String),
      eventSubType: optional(Enumerations.EventSubType),
      eventType: optional(Enumerations.EventType["2025-05-01"]),
      impact: optional(list(Impact.Impact["2025-05-01"])),
      newRate: optional(finite),
      oldRate: optional(finite),
    },
    "2025-05-01",
  ),
  "2025-04-01": record(
    "Properties",
    {
      ...properties,
      eventType: optional(Enumerations.EventType["2025-04-01"]),
      impact: optional(list(Impact.Impact["2025-04-01"])),
    },
    "2025-04-01",
  ),
}

/**
 * @category models
 * @since 0.1.0
 */
export type Properties<V extends ApiVersion.ApiVersion = ApiVersion.Latest> = Schema.Schema.Type<
  (typeof Properties)[ApiVersion.SchemaVersion<V>]
>

const common = {
  id: optional(Schema.String),
  name: optional(Schema.String),
  type: optional(Schema.String),
}

/**
 * An event, in each version. `id` identifies the record, `name` is the tracking id and identifies the event over
 * subscriptions. No field is required, `null` means absent, and what a version does not define is kept as it was sent.
 *
 * @category schemas
 * @since 0.1.0
 */
export const HealthEvent = {
  "2025-05-01": record(
    "HealthEvent",
    {
      ...common,
      location: optional(Schema.String),
      properties: optional(Properties["2025-05-01"]),
    },
    "2025-05-01",
  ),
  "2025-04-01": record(
    "HealthEvent",
    {
      ...common,
      systemData: optional(SystemData.SystemData),
      properties: optional(Properties["2025-04-01"]),
    },
    "2025-04-01",
  ),
}

/** Keeps the types of the versions apart, which would be assignable to each other otherwise. Not present at run time. */
declare const version: unique symbol

type EventOf<K extends ApiVersion.Known> = Schema.Schema.Type<(typeof HealthEvent)[K]> & { readonly [version]?: K }

/**
 * An event of version `V`, by default the latest. An event of one known version is not assignable to another; one of any other
 * version has the type of the latest, as which it was checked.
 *
 * @category models
 * @since 0.1.0
 */
export type HealthEvent<V extends ApiVersion.ApiVersion = ApiVersion.Latest> = EventOf<ApiVersion.SchemaVersion<V>>

const decoders: {
  readonly [K in ApiVersion.Known]: (input: unknown) => Either.Either<EventOf<K>, InvalidField>
} = {
  "2025-05-01": check(HealthEvent["2025-05-01"]),
  "2025-04-01": check(HealthEvent["2025-04-01"]),
}

/**
 * Checks parsed JSON against the event of a version. Returns the input itself: nothing is copied, removed or rewritten.
 * (The schemas, used as part of others, copy what they decode and drop an own `__proto__`.)
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <V extends ApiVersion.ApiVersion>(
  version: V,
): ((input: unknown) => Either.Either<HealthEvent<V>, InvalidField>) => decoders[ApiVersion.schemaVersion(version)]

/**
 * An event of version `V` as it is on the wire: the same JSON, its texts without their brands.
 *
 * @category models
 * @since 0.1.0
 */
export type Encoded<V extends ApiVersion.ApiVersion = ApiVersion.Latest> = Schema.Schema.Encoded<
  (typeof HealthEvent)[ApiVersion.SchemaVersion<V>]
>

const encoders: {
  readonly [K in ApiVersion.Known]: (event: EventOf<K>) => Schema.Schema.Encoded<(typeof HealthEvent)[K]>
} = {
  "2025-05-01": identity,
  "2025-04-01": identity,
}

/**
 * Returns the JSON of an event: the event itself, as decoding does not change it.
 *
 * @category encoding
 * @since 0.1.0
 */
export const encode = <V extends ApiVersion.ApiVersion>(version: V): ((event: HealthEvent<V>) => Encoded<V>) =>
  encoders[ApiVersion.schemaVersion(version)]

/**
 * Whether support by the vendor is enabled for the event. The field carries the vendor's name
 * (`enable<vendor>Support`), `Vendor` in the document.
 *
 * @category getters
 * @since 0.1.0
 */
export const vendorSupport = (event: HealthEvent<ApiVersion.ApiVersion>, vendor = "Vendor"): boolean | undefined => {
  const entry = Object.entries(event.properties ?? {}).find(([name]) => name === `enable${vendor}Support`)
  return typeof entry?.[1] === "boolean" ? entry[1] : undefined
}

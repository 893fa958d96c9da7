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
import { defaultVendor, support, supportField, variant } from "./internal/vendor.js"
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
 * What depends on the vendor.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /** The vendor whose `enable<vendor>Support` is checked: a boolean, `null` or absent. Default: `Vendor`, as in the document. */
  readonly vendor?: string | undefined
}

const propertiesOf = (vendor: string) => ({
  "2025-05-01": record(
    "Properties",
    {
      ...properties,
      ...support(vendor),
      billingId: optional(Schema.String),
      currencyType: optional(Schema.String),
      eventSubType: optional(Enumerations.EventSubType),
      eventType: optional(Enumerations.EventType["2025-05-01"]),
      impact: optional(list(Impact.Impact["2025-05-01"])),
      newRate: optional(finite),
      oldRate: optional(finite),
    },
    variant("2025-05-01", vendor),
  ),
  "2025-04-01": record(
    "Properties",
    {
      ...properties,
      ...support(vendor),
      eventType: optional(Enumerations.EventType["2025-04-01"]),
      impact: optional(list(Impact.Impact["2025-04-01"])),
    },
    variant("2025-04-01", vendor),
  ),
})

/**
 * `properties` of an event, in each version: `duration` in seconds, `priority` from 0 (highest) to 23, rates as doubles.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Properties = propertiesOf(defaultVendor)

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

const eventOf = (vendor: string, properties: ReturnType<typeof propertiesOf>) => ({
  "2025-05-01": record(
    "HealthEvent",
    {
      ...common,
      location: optional(Schema.String),
      properties: optional(properties["2025-05-01"]),
    },
    variant("2025-05-01", vendor),
  ),
  "2025-04-01": record(
    "HealthEvent",
    {
      ...common,
      systemData: optional(SystemData.SystemData),
      properties: optional(properties["2025-04-01"]),
    },
    variant("2025-04-01", vendor),
  ),
})

/**
 * An event, in each version. `id` identifies the record, `name` is the tracking id and identifies the event over
 * subscriptions. No field is required, `null` means absent, and what a version does not define is kept as it was sent. These are
 * the schemas of the default vendor; `schema` returns those of any vendor.
 *
 * @category schemas
 * @since 0.1.0
 */
export const HealthEvent = eventOf(defaultVendor, Properties)

/** Keeps the types of the versions apart, which would be assignable to each other otherwise. Not present at run time. */
declare const version: unique symbol

/**
 * An event of the known version `K`.
 *
 * @category models
 * @since 0.1.0
 */
export type KnownEvent<K extends ApiVersion.Known> = Schema.Schema.Type<(typeof HealthEvent)[K]> & {
  readonly [version]?: K
}

/**
 * An event of version `V`, by default the latest. An event of one known version is not assignable to another. Events of any other
 * version are checked and typed as events of the latest version.
 *
 * @category models
 * @since 0.1.0
 */
export type HealthEvent<V extends ApiVersion.ApiVersion = ApiVersion.Latest> = KnownEvent<ApiVersion.SchemaVersion<V>>

/** The schemas of one vendor, and the decoders that are compiled from them. */
interface Family {
  readonly schemas: typeof HealthEvent
  readonly decoders: {
    readonly [K in ApiVersion.Known]: (input: unknown) => Either.Either<KnownEvent<K>, InvalidField>
  }
}

const families = new Map<string, Family>()

const familyOf = ({ vendor = defaultVendor }: Options): Family => {
  const known = families.get(vendor)
  if (known !== undefined) return known
  const schemas = vendor === defaultVendor ? HealthEvent : eventOf(vendor, propertiesOf(vendor))
  const family = {
    schemas,
    decoders: { "2025-05-01": check(schemas["2025-05-01"]), "2025-04-01": check(schemas["2025-04-01"]) },
  }
  families.set(vendor, family)
  return family
}

/**
 * Returns the schema of an event of a version and vendor.
 *
 * @category schemas
 * @since 0.1.0
 */
export const schema = <V extends ApiVersion.ApiVersion>(
  version: V,
  options: Options = {},
): (typeof HealthEvent)[ApiVersion.SchemaVersion<V>] => familyOf(options).schemas[ApiVersion.schemaVersion(version)]

/**
 * Checks parsed JSON against the event of a version. Returns the input itself: nothing is copied, removed or rewritten.
 * (The schemas, used as part of others, copy what they decode and drop an own `__proto__`.) The check is compiled once for each
 * version and vendor.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = <V extends ApiVersion.ApiVersion>(
  version: V,
  options: Options = {},
): ((input: unknown) => Either.Either<HealthEvent<V>, InvalidField>) =>
  familyOf(options).decoders[ApiVersion.schemaVersion(version)]

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
  readonly [K in ApiVersion.Known]: (event: KnownEvent<K>) => Schema.Schema.Encoded<(typeof HealthEvent)[K]>
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
 * Returns whether support by the vendor is enabled for the event: the field `enable<vendor>Support`, which the static type does not
 * show. `undefined` where it is absent or `null`, or where the event was decoded for another vendor and it is not a boolean.
 *
 * @category getters
 * @since 0.1.0
 */
export const vendorSupport = (
  event: HealthEvent<ApiVersion.ApiVersion>,
  vendor = defaultVendor,
): boolean | undefined => {
  const entry = Object.entries(event.properties ?? {}).find(([name]) => name === supportField(vendor))
  return typeof entry?.[1] === "boolean" ? entry[1] : undefined
}

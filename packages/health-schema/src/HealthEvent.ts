/** A service health event (record `event`): its schemas, its types, and the check that returns the parsed JSON itself. */
import type * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as ApiVersion from "./ApiVersion.js"
import * as Impact from "./Impact.js"
import type { InvalidField } from "./InvalidField.js"
import { check } from "./internal/issue.js"
import { properties } from "./internal/properties.js"
import { optional } from "./internal/record.js"
import {
  type Fields,
  type Own,
  type SchemaVersion,
  type Version,
  type Wire,
  defaultVendor,
  schemaVersion,
  variantOf,
  versioned,
  versions,
} from "./internal/versions.js"

/**
 * Options that depend on the vendor.
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /** The vendor whose `enable<vendor>Support` is checked: a boolean, `null` or absent. Default: `Vendor`, as in the document. */
  readonly vendor?: string | undefined
}

const event = {
  id: optional(Schema.String),
  name: optional(Schema.String),
  type: optional(Schema.String),
}

type KnownProperties = {
  readonly [K in Version]: Fields<typeof properties> &
    Fields<Own<K>["properties"]> & {
      readonly eventType?: Schema.Schema.Type<Own<K>["eventType"]> | null
      readonly impact?: ReadonlyArray<Impact.Impact<K>> | null
    }
}

type KnownEvents = {
  readonly [K in Version]: Fields<typeof event> &
    Fields<Own<K>["event"]> & {
      readonly properties?: KnownProperties[K] | null
    }
}

/** Keeps the types of the versions apart, which would be assignable to each other otherwise. Not present at run time. */
declare const version: unique symbol

/**
 * An event of the known version `V`.
 * @category models
 * @since 0.1.0
 */
export type KnownEvent<V extends Version> = KnownEvents[V] & {
  readonly [version]?: V
}

/**
 * An event of version `V`, by default the latest. `id` identifies the record, and `name` is the tracking ID, which identifies the event
 * across subscriptions. Every field is optional, `null` means absent, and unknown fields are kept. An event of one known version is
 * not assignable to another. Events of any other version are typed as events of the latest version.
 * @category models
 * @since 0.1.0
 */
export type HealthEvent<V extends ApiVersion.ApiVersion = ApiVersion.Latest> = KnownEvent<SchemaVersion<V>>

/**
 * The `properties` of an event: `duration` in seconds, `priority` from 0 (highest) to 23, rates as doubles.
 * @category models
 * @since 0.1.0
 */
export type Properties<V extends ApiVersion.ApiVersion = ApiVersion.Latest> = KnownProperties[SchemaVersion<V>]

/**
 * An event of version `V` as it is on the wire: the same JSON, its texts without their brands.
 * @category models
 * @since 0.1.0
 */
export type Encoded<V extends ApiVersion.ApiVersion = ApiVersion.Latest> = Wire<KnownEvents[SchemaVersion<V>]>

/** Returns the name of the field that contains the vendor's name. */
const supportField = (vendor: string) => `enable${vendor}Support`

const compile = (version: Version, vendor: string) => {
  const own = versions[version]
  const variant = variantOf(version, vendor)
  const all = {
    ...properties,
    ...own.properties,
    eventType: optional(own.eventType),
    impact: optional(Schema.Array(Impact.schema(version))),
    [supportField(vendor)]: optional(Schema.Boolean),
  }
  const inner = versioned("Properties", all, variant)
  const schema = versioned("HealthEvent", { ...event, ...own.event, properties: optional(inner) }, variant)
  return { schema, decode: check(schema) }
}

const cache = new Map<string, ReturnType<typeof compile>>()

const compiled = (version: ApiVersion.ApiVersion, { vendor = defaultVendor }: Options) => {
  const key = variantOf(schemaVersion(version), vendor)
  const entry = cache.get(key) ?? compile(schemaVersion(version), vendor)
  cache.set(key, entry)
  return entry
}

/**
 * Returns the schema of an event of a version and vendor. The schema copies what it decodes and drops an own `__proto__`;
 * `decode` does not.
 * @category schemas
 * @since 0.1.0
 */
export const schema = <V extends ApiVersion.ApiVersion>(
  version: V,
  options: Options = {},
): Schema.Schema<HealthEvent<V>, Encoded<V>> => compiled(version, options).schema

/**
 * Checks parsed JSON against the schema of a version and returns the input itself: nothing is copied, removed or rewritten, so an
 * event is also its own JSON. The check is compiled once per version and vendor. Fails with `InvalidField` for the first invalid field.
 * @category decoding
 * @since 0.1.0
 */
export const decode = <V extends ApiVersion.ApiVersion>(
  version: V,
  options: Options = {},
): ((input: unknown) => Either.Either<HealthEvent<V>, InvalidField>) => compiled(version, options).decode

/**
 * Returns the event types of a version.
 * @category getters
 * @since 0.1.0
 */
export const eventTypes = <V extends ApiVersion.ApiVersion>(
  version: V,
): (typeof versions)[SchemaVersion<V>]["eventType"] => versions[schemaVersion(version)].eventType

/**
 * Returns whether support by the vendor is enabled for the event: the field `enable<vendor>Support`, which the static type does not
 * show. `undefined` if it is absent or `null`, or if the event was decoded for another vendor and it is not a boolean.
 * @category getters
 * @since 0.1.0
 */
export const vendorSupport = (
  event: HealthEvent<ApiVersion.ApiVersion>,
  vendor = defaultVendor,
): boolean | undefined => {
  const value: unknown = Object.getOwnPropertyDescriptor(event.properties ?? {}, supportField(vendor))?.value
  return typeof value === "boolean" ? value : undefined
}

const key = (record: unknown, field: "id" | "name"): string | undefined => {
  const text = Predicate.isRecord(record) ? record[field] : undefined
  return typeof text === "string" && text !== "" ? text.toLowerCase() : undefined
}

/**
 * Returns the key of an event across subscriptions: its tracking ID (`name`) in lower case; `undefined` if it has none. Accepts an
 * event or the raw value of an invalid one.
 * @category comparing
 * @since 0.1.0
 */
export const trackingKey = (event: unknown): string | undefined => key(event, "name")

/**
 * Returns the key of an event within the list of one subscription or resource: its `id` in lower case, else its `trackingKey`.
 * Accepts an event or the raw value of an invalid one.
 * @category comparing
 * @since 0.1.0
 */
export const recordKey = (event: unknown): string | undefined => key(event, "id") ?? trackingKey(event)

/** A service health event (record `event`): schemas, types and decoding. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as ApiVersion from "./ApiVersion.js"
import * as Enumerations from "./Enumerations.js"
import * as Impact from "./Impact.js"
import type { InvalidField } from "./InvalidField.js"
import * as OpenEnum from "./OpenEnum.js"
import { checks } from "./internal/checks.js"
import { check } from "./internal/issue.js"
import { properties } from "./internal/properties.js"
import { optional, text } from "./internal/record.js"
import * as Timestamp from "./Timestamp.js"
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

/** Options of schemas and decoders. @category models @since 0.1.0 */
export interface Options {
  /** The vendor whose `enable<vendor>Support` must be a boolean, `null` or absent. Default: `Vendor`. */
  readonly vendor?: string | undefined
}

const event = { id: text, name: text, type: text }

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

/** Prevents assigning events of one version to another. Not present at run time. */
declare const version: unique symbol

/** An event of the known version `V`. @category models @since 0.1.0 */
export type KnownEvent<V extends Version> = KnownEvents[V] & {
  readonly [version]?: V
}

/**
 * An event of version `V` (default: the latest). `id` identifies the record, and `name` (the tracking ID) the event across subscriptions.
 * Every field is optional, `null` means absent, and unknown fields are kept. Events of unknown versions have the type of the latest.
 * @category models @since 0.1.0
 */
export type HealthEvent<V extends ApiVersion.ApiVersion = ApiVersion.Default> = KnownEvent<SchemaVersion<V>>

/** An event of any version. @category models @since 0.1.0 */
export type AnyEvent = HealthEvent<ApiVersion.ApiVersion>

/**
 * The `properties` of an event: `duration` in seconds, `priority` from 0 (highest) to 23, rates as doubles.
 * @category models @since 0.1.0
 */
export type Properties<V extends ApiVersion.ApiVersion = ApiVersion.Default> = KnownProperties[SchemaVersion<V>]

/** An event of version `V` as JSON, without brands. @category models @since 0.1.0 */
export type Encoded<V extends ApiVersion.ApiVersion = ApiVersion.Default> = Wire<KnownEvents[SchemaVersion<V>]>

const supportField = (vendor: string) => `enable${vendor}Support`

interface Compiled<V extends ApiVersion.ApiVersion> {
  readonly schema: Schema.Codec<HealthEvent<V>, Encoded<V>>
  readonly decode: (input: unknown) => Result.Result<HealthEvent<V>, InvalidField>
}

const compile = <V extends ApiVersion.ApiVersion>(known: Version, vendor: string): Compiled<V> => {
  const own = versions[known]
  const variant = variantOf(known, vendor)
  const support = supportField(vendor)
  const all = {
    ...properties,
    ...own.properties,
    eventType: optional(own.eventType),
    impact: optional(Schema.Array(Impact.schema(known))),
    [support]: optional(Schema.Boolean),
  }
  const inner = versioned("Properties", all, variant)
  const fields = { ...event, ...own.event, properties: optional(inner) }
  const schema = versioned<HealthEvent<V>, Encoded<V>>("HealthEvent", fields, variant)
  return { schema, decode: check(schema, (input) => checks[known](input, support)) }
}

const cache = new Map<string, Compiled<never>>()

const compiled = <V extends ApiVersion.ApiVersion>(version: V, { vendor = defaultVendor }: Options): Compiled<V> => {
  const key = variantOf(schemaVersion(version), vendor)
  // The key determines the version.
  const entry = (cache.get(key) as Compiled<V> | undefined) ?? compile<V>(schemaVersion(version), vendor)
  cache.set(key, entry as Compiled<never>)
  return entry
}

/**
 * Returns the schema of an event of a version and vendor. Unlike `decode`, it copies the event and drops an own `__proto__`.
 * @category schemas @since 0.1.0
 */
export const schema = <V extends ApiVersion.ApiVersion>(
  version: V,
  options: Options = {},
): Schema.Codec<HealthEvent<V>, Encoded<V>> => compiled(version, options).schema

/**
 * Checks parsed JSON and returns the input itself, unchanged. Compiled once per version and vendor. Fails with `InvalidField` at the first
 * invalid field.
 * @category decoding @since 0.1.0
 */
export const decode = <V extends ApiVersion.ApiVersion>(
  version: V,
  options: Options = {},
): ((input: unknown) => Result.Result<HealthEvent<V>, InvalidField>) => compiled(version, options).decode

/** Returns the event types of a version. @category getters @since 0.1.0 */
export const eventTypes = <V extends ApiVersion.ApiVersion>(
  version: V,
): (typeof versions)[SchemaVersion<V>]["eventType"] => versions[schemaVersion(version)].eventType

/**
 * Returns the field `enable<vendor>Support`, which has no static type; `undefined` if it is not a boolean.
 * @category getters @since 0.1.0
 */
export const vendorSupport = (event: AnyEvent, vendor = defaultVendor): boolean | undefined => {
  const value: unknown = Object.getOwnPropertyDescriptor(event.properties ?? {}, supportField(vendor))?.value
  return typeof value === "boolean" ? value : undefined
}

/**
 * Returns whether the status is `Resolved`, ignoring case. An event with a missing, `null`, empty or unknown status, such as `InProgress`, is
 * not resolved: treat it as active, so that nobody misses it.
 * @category guards @since 0.1.0
 */
export const isResolved = ({ properties }: AnyEvent): boolean => isResolvedStatus(properties?.status)

/** The rule of `isResolved` for the status of a region, or any other text. @category guards @since 0.1.0 */
export const isResolvedStatus = (status: string | null | undefined): boolean => status?.toLowerCase() === "resolved"

/**
 * Returns the first known value of `eventLevel` and `level`, ignoring case; `undefined` if neither is known. The two often differ:
 * `eventLevel` is the severity of the event, and `level`, which is often `null`, only the level of insight. Show this value, not `level`.
 * @category getters @since 0.1.0
 */
export const knownLevel = ({ properties }: AnyEvent): (typeof Enumerations.EventLevel.known)[number] | undefined =>
  OpenEnum.find(Enumerations.EventLevel, properties?.eventLevel) ??
  OpenEnum.find(Enumerations.EventLevel, properties?.level)

/** Returns whether the event was updated at or after an instant, or has no update time. @category guards @since 0.4.0 */
export const isUpdatedSince = ({ properties }: AnyEvent, since: DateTime.DateTime): boolean => {
  const updated = Timestamp.instant(properties?.lastUpdateTime)
  return Option.isNone(updated) || !DateTime.isLessThan(updated.value, since)
}

/** All other types are issues, unknown types included. */
const notices: ReadonlySet<string | undefined> = new Set([
  "PlannedMaintenance",
  "HealthAdvisory",
  "RCA",
  "SecurityAdvisory",
  "Billing",
])

/** Returns whether the event is not an issue: maintenance, an advisory, a review or billing. @category guards @since 0.2.0 */
export const isNotice = ({ properties }: AnyEvent): boolean =>
  notices.has(OpenEnum.find(Enumerations.EventType, properties?.eventType))

const key = (record: unknown, field: "id" | "name"): string | undefined => {
  const text = Predicate.isObject(record) ? record[field] : undefined
  return typeof text === "string" && text !== "" ? text.toLowerCase() : undefined
}

/**
 * Returns the lower-case tracking ID (`name`), which identifies an event across subscriptions; `undefined` if absent. Accepts an event or
 * the raw value of an invalid one.
 * @category comparing @since 0.1.0
 */
export const trackingKey = (event: unknown): string | undefined => key(event, "name")

/**
 * Returns the lower-case `id`, else the `trackingKey`: the key of an event in the list of one subscription or resource. Accepts an event or
 * the raw value of an invalid one.
 * @category comparing @since 0.1.0
 */
export const recordKey = (event: unknown): string | undefined => key(event, "id") ?? trackingKey(event)

/**
 * Returns the `trackingKey`, else the `recordKey`: the key of an event in lists of several subscriptions. Accepts an event or the raw value of
 * an invalid one.
 * @category comparing @since 0.1.0
 */
export const eventKey = (event: unknown): string | undefined => trackingKey(event) ?? recordKey(event)

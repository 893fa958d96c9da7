/** The versions of the API, and what differs between them (document, "Versioning"). */
import * as Schema from "effect/Schema"
import * as Enumerations from "../Enumerations.js"
import * as OpenEnum from "../OpenEnum.js"
import * as Timestamp from "../Timestamp.js"
import { finite, optional, record } from "./record.js"

/**
 * The event types of each version, and the fields that not every version has, by record. Newest version first. To add a version, add an
 * entry, and change `latest` if it is the newest.
 */
export const versions = {
  "2025-05-01": {
    eventType: Enumerations.EventType,
    event: { location: optional(Schema.String) },
    properties: {
      billingId: optional(Schema.String),
      currencyType: optional(Schema.String),
      eventSubType: optional(Enumerations.EventSubType),
      newRate: optional(finite),
      oldRate: optional(finite),
    },
    update: { eventTags: optional(Schema.Array(Enumerations.EventTag)) },
  },
  "2025-04-01": {
    eventType: OpenEnum.make(
      "EventType-2025-04-01",
      "ServiceIssue",
      "PlannedMaintenance",
      "HealthAdvisory",
      "RCA",
      "EmergingIssues",
      "SecurityAdvisory",
    ),
    event: {
      systemData: optional(
        record("SystemData", {
          createdAt: optional(Timestamp.Timestamp),
          createdBy: optional(Schema.String),
          createdByType: optional(Enumerations.CreatedByType),
          lastModifiedAt: optional(Timestamp.Timestamp),
          lastModifiedBy: optional(Schema.String),
          lastModifiedByType: optional(Enumerations.CreatedByType),
        }),
      ),
    },
    properties: {},
    update: {},
  },
}

/** A version in the table. */
export type Version = keyof typeof versions

/** The default version of calls. */
export const latest = "2025-05-01" satisfies Version

/** The version whose schemas and types apply to `V`: itself if it is known, else the latest. */
export type SchemaVersion<V extends string> = V extends Version ? V : typeof latest

/** Returns the version whose schemas apply. */
export const schemaVersion = <V extends string>(version: V): SchemaVersion<V> =>
  // TypeScript does not resolve a conditional type of a type parameter.
  (Object.hasOwn(versions, version) ? version : latest) as SchemaVersion<V>

/** The entry of a version. */
export type Own<V extends Version> = (typeof versions)[V]

/** The type of a record with these fields. */
export type Fields<F> = F extends Schema.Struct.Fields ? Schema.Schema.Type<Schema.Struct<F>> : never

/** The type of a value as it is on the wire: the same JSON, its texts without their brands. */
export type Wire<A> = A extends Timestamp.Timestamp
  ? string
  : A extends string
    ? A
    : A extends ReadonlyArray<infer Element>
      ? ReadonlyArray<Wire<Element>>
      : { readonly [K in keyof A]: Wire<A[K]> }

/** The vendor's name in the document. */
export const defaultVendor = "Vendor"

/** Returns what distinguishes the schemas of a version and vendor from others in the same JSON Schema document. */
export const variantOf = (version: Version, vendor: string): string =>
  vendor === defaultVendor ? version : `${version}-${vendor}`

type AnyFields = Readonly<Record<string, ReturnType<typeof optional<Schema.Schema.AnyNoContext>>>>

/** Defines a record that differs between versions. The caller states its type: TypeScript cannot infer it for any version. */
export const versioned = (name: string, fields: AnyFields, variant: string): Schema.Schema.AnyNoContext =>
  record(name, fields, variant)

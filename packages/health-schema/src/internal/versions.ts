/** The API versions and their differences. */
import * as Schema from "effect/Schema"
import * as Enumerations from "../Enumerations.js"
import * as OpenEnum from "../OpenEnum.js"
import * as Timestamp from "../Timestamp.js"
import { optional, record, text } from "./record.js"

/** A function, so that bundles that decode no event do not contain it. */
const makeVersions = () => {
  const systemData = optional(
    record("SystemData", {
      createdAt: optional(Timestamp.Timestamp),
      createdBy: text,
      createdByType: optional(Enumerations.CreatedByType),
      lastModifiedAt: optional(Timestamp.Timestamp),
      lastModifiedBy: text,
      lastModifiedByType: optional(Enumerations.CreatedByType),
    }),
  )

  /** The fields that version 2025-05-01 added. Later versions have them, too. */
  const since202505 = {
    eventType: Enumerations.EventType,
    properties: {
      billingId: text,
      currencyType: text,
      eventSubType: optional(Enumerations.EventSubType),
      newRate: optional(Schema.Finite),
      oldRate: optional(Schema.Finite),
    },
    update: { eventTags: optional(Schema.Array(Enumerations.EventTag)) },
  }

  return {
    "2026-08-01-preview": {
      ...since202505,
      event: { systemData },
      // Of the planned maintenance of service groups.
      properties: { ...since202505.properties, argQuery: text, maintenanceId: text, maintenanceType: text },
    },
    "2026-07-01": {
      ...since202505,
      event: { systemData },
      properties: {
        ...since202505.properties,
        /** A request that lists recommendations about a retirement. Its `url` is opaque. */
        advisorRecommendations: optional(
          record("ApiOperationLink", { description: text, httpMethod: text, url: text }),
        ),
      },
    },
    "2025-05-01": { ...since202505, event: { location: text } },
    "2025-04-01": {
      eventType: OpenEnum.make(
        "EventType-2025-04-01",
        ...Enumerations.EventType.known.filter((type) => type !== "Billing"),
      ),
      event: { systemData },
      properties: {},
      update: {},
    },
  }
}

/** Own event types and fields of each version, newest first. To add a version, add an entry. */
export const versions = /* @__PURE__ */ makeVersions()

export type Version = keyof typeof versions

/** The version of requests that name none. Services that lack newer versions reject those, so it stays when the table grows. */
export const defaultVersion = "2025-05-01" satisfies Version

/** The newest version that is not a preview. */
export const latest = "2026-07-01" satisfies Version

/** The version whose schemas apply to `V`: itself if known, else the latest. */
export type SchemaVersion<V extends string> = V extends Version ? V : typeof latest

export const schemaVersion = <V extends string>(version: V): SchemaVersion<V> =>
  // TypeScript does not resolve a conditional type of a type parameter.
  (Object.hasOwn(versions, version) ? version : latest) as SchemaVersion<V>

export type Own<V extends Version> = (typeof versions)[V]

export type Fields<F> = F extends Schema.Struct.Fields ? Schema.Struct.Type<F> : never

/** The JSON of a value: texts without brands. */
export type Wire<A> = A extends Timestamp.Timestamp
  ? string
  : A extends string
    ? A
    : A extends ReadonlyArray<infer Element>
      ? ReadonlyArray<Wire<Element>>
      : { readonly [K in keyof A]: Wire<A[K]> }

export const defaultVendor = "Vendor"

/** Distinguishes the schemas of a version and vendor in one JSON Schema document. */
export const variantOf = (version: Version, vendor: string): string =>
  vendor === defaultVendor ? version : `${version}-${vendor}`

type AnyFields = Readonly<Record<string, ReturnType<typeof optional<Schema.Constraint>>>>

/** TypeScript cannot infer the types for any version, so the caller states them. */
export const versioned = <A, I>(name: string, fields: AnyFields, variant: string): Schema.Codec<A, I> =>
  Schema.make(record(name, fields, variant).ast)

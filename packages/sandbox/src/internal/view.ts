/** An event as one version shows it, in a list and alone: what the version does not define is left out, what is sensitive withheld. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as Schema from "effect/Schema"
import type { WireEvent, WireImpact } from "./world/story.js"

/**
 * What a sensitive event still shows in a list: what public services were seen to send of security advisories (field notes,
 * "Operations around the two lists"), and `isEventSensitive`, by which the document tells them.
 */
const shown = new Set([
  "eventType",
  "eventSource",
  "status",
  "title",
  "platformInitiated",
  "level",
  "eventLevel",
  "isHIR",
  "isEventSensitive",
  "priority",
  "lastUpdateTime",
  "impact",
])

/** What version 2025-04-01 does not define (document, "Versioning"). */
const newer = new Set(["eventSubType", "billingId", "currencyType", "newRate", "oldRate"])

const without = <A extends object>(record: A, drop: (name: string) => boolean): Partial<A> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !drop(name))) as Partial<A>

type WireRegion = NonNullable<WireImpact[number]["impactedRegions"]>[number]

const inRegions = (impact: WireImpact, change: (region: WireRegion) => Partial<WireRegion>): WireImpact =>
  impact.map((service) => ({ ...service, impactedRegions: service.impactedRegions?.map(change) ?? [] }))

/** The event without what a list withholds of sensitive ones: its texts, and its regions' updates. */
const withhold = (event: WireEvent): WireEvent => {
  const properties = event.properties ?? {}
  if (properties.isEventSensitive !== true) return event
  return {
    ...event,
    properties: {
      ...without(properties, (name) => !shown.has(name)),
      impact: inRegions(properties.impact ?? [], (region) =>
        without(region, (name) => name === "updates" || name === "lastUpdateTime"),
      ),
    },
  }
}

/** The event without what 2025-04-01 lacks, and with the `systemData` that it has. */
const older = (event: WireEvent) => {
  const properties = event.properties ?? {}
  const at = properties.lastUpdateTime ?? null
  return {
    ...without(event, (name) => name === "location"),
    systemData: { createdAt: at, createdBy: "resource-health", createdByType: "Application" },
    properties: {
      ...without(properties, (name) => newer.has(name)),
      impact: inRegions(properties.impact ?? [], (region) => ({
        ...region,
        updates: region.updates?.map((update) => without(update, (name) => name === "eventTags")) ?? null,
      })),
    },
  }
}

/** The name of the support field carries the vendor's. */
const named = <E extends { readonly properties?: object | null }>(event: E, vendor: string): E =>
  vendor === "Vendor"
    ? event
    : {
        ...event,
        properties: Object.fromEntries(
          Object.entries(event.properties ?? {}).map(([name, value]) => [
            name === "enableVendorSupport" ? `enable${vendor}Support` : name,
            value,
          ]),
        ),
      }

/** An event as any version shows it. */
export type Shown = WireEvent | Schema.Schema.Encoded<(typeof HealthEvent.HealthEvent)["2025-04-01"]>

/** The event as `version` shows it alone, nothing withheld. */
export const inFull = (event: WireEvent, version: ApiVersion.Known, vendor: string): Shown =>
  named(version === "2025-04-01" ? older(event) : event, vendor)

/** The event as a list of `version` shows it. */
export const inList = (event: WireEvent, version: ApiVersion.Known, vendor: string): Shown =>
  inFull(withhold(event), version, vendor)

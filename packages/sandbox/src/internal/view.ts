/** An event as one version shows it, in a list and alone: what the version does not define is left out, what is sensitive withheld. */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Predicate from "effect/Predicate"
import * as SchemaAST from "effect/SchemaAST"
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

/** The fields that a schema defines, of the record in a nullable value or in a list. */
const fieldsOf = (ast: SchemaAST.AST | undefined): ReadonlyMap<PropertyKey, SchemaAST.AST> => {
  if (ast === undefined) return new Map()
  if (SchemaAST.isUnion(ast)) return fieldsOf(ast.types.find((type) => !SchemaAST.isLiteral(type)))
  if (SchemaAST.isTupleType(ast)) return fieldsOf(ast.rest[0]?.type)
  return new Map(SchemaAST.isTypeLiteral(ast) ? ast.propertySignatures.map(({ name, type }) => [name, type]) : [])
}

/** Removes the fields that the latest version defines and `own` does not. Fields that neither defines stay. */
const restrict = (value: unknown, latest: SchemaAST.AST | undefined, own: SchemaAST.AST | undefined): unknown => {
  if (Array.isArray(value)) return value.map((element) => restrict(element, latest, own))
  if (!Predicate.isRecord(value)) return value
  const [all, kept] = [fieldsOf(latest), fieldsOf(own)]
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => kept.has(name) || !all.has(name))
      .map(([name, inner]) => [name, restrict(inner, all.get(name), kept.get(name))]),
  )
}

/** The event with the fields of `version`. */
const inVersion = (event: WireEvent, version: ApiVersion.Known): Shown => {
  if (version === ApiVersion.latest) return event
  const { ast } = HealthEvent.schema(version)
  const at = event.properties?.lastUpdateTime ?? null
  const systemData = { createdAt: at, createdBy: "resource-health", createdByType: "Application" }
  return {
    // Only fields that the version lacks are removed.
    ...(restrict(event, HealthEvent.schema(ApiVersion.latest).ast, ast) as Shown),
    ...(fieldsOf(ast).has("systemData") ? { systemData } : {}),
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
export type Shown = HealthEvent.Encoded<ApiVersion.Known>

/** The event as `version` shows it alone, nothing withheld. */
export const inFull = (event: WireEvent, version: ApiVersion.Known, vendor: string): Shown =>
  named(inVersion(event, version), vendor)

/** The event as a list of `version` shows it. */
export const inList = (event: WireEvent, version: ApiVersion.Known, vendor: string): Shown =>
  inFull(withhold(event), version, vendor)

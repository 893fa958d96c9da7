/** Events as a version of the API shows them: without fields that the version lacks, and in lists without sensitive texts. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Predicate from "effect/Predicate"
import * as SchemaAST from "effect/SchemaAST"
import * as Struct from "effect/Struct"
import { versionOfWorld, type WireEvent } from "./world/models.js"

/** The fields of sensitive events in lists: as seen in public (field notes, "Operations around the two lists"), and `isEventSensitive`. */
const shown =
  "eventType eventSource status title platformInitiated level eventLevel isHIR isEventSensitive priority lastUpdateTime impact"

const withhold = (event: WireEvent): WireEvent => {
  const properties = event.properties ?? {}
  if (properties.isEventSensitive !== true) return event
  const visible = Object.entries(properties).filter(([name]) => shown.split(" ").includes(name))
  const impact = properties.impact?.map(({ impactedRegions, ...service }) => ({
    ...service,
    impactedRegions: (impactedRegions ?? []).map((region) => Struct.omit(region, ["updates", "lastUpdateTime"])),
  }))
  return { ...event, properties: { ...Object.fromEntries(visible), ...(impact && { impact }) } }
}

const fieldsOf = (ast: SchemaAST.AST | undefined): ReadonlyMap<PropertyKey, SchemaAST.AST> => {
  if (ast === undefined) return new Map()
  if (SchemaAST.isUnion(ast)) return fieldsOf(ast.types.find((type) => !SchemaAST.isNull(type)))
  if (SchemaAST.isArrays(ast)) return fieldsOf(ast.rest[0])
  return new Map(SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name, type }) => [name, type]) : [])
}

/** Removes the fields of `all` that `own` lacks. Unknown fields stay. */
const restrict = (value: unknown, all: SchemaAST.AST | undefined, own: SchemaAST.AST | undefined): unknown => {
  if (Array.isArray(value)) return value.map((element) => restrict(element, all, own))
  if (!Predicate.isObject(value)) return value
  const [known, defined] = [fieldsOf(all), fieldsOf(own)]
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => defined.has(name) || !known.has(name))
      .map(([name, inner]) => [name, restrict(inner, known.get(name), defined.get(name))]),
  )
}

/** Of a retirement, in the first of its subscriptions. */
const recommendations = ({ name, properties }: WireEvent, vendor: string) => {
  if (properties?.eventSubType !== "Retirement") return {}
  const [subscription = ""] = properties.impact?.[0]?.impactedRegions?.[0]?.impactedSubscriptions ?? []
  const path = `/subscriptions/${subscription}/providers/${vendor}.Advisor/recommendations`
  const filter = encodeURIComponent(`trackingIds/any(t: t eq '${name}')`)
  return {
    advisorRecommendations: {
      httpMethod: "GET",
      url: `https://management.vendor.example${path}?api-version=2025-01-01&%24filter=${filter}`,
      description: "Lists the recommendations for this retirement.",
    },
  }
}

const inVersion = (event: WireEvent, version: ApiVersion.Known, vendor: string): Shown => {
  if (version === versionOfWorld) return event
  const { ast } = HealthEvent.schema(version)
  const own = fieldsOf(ast)
  const at = event.properties?.lastUpdateTime ?? null
  const systemData = { createdAt: at, createdBy: "resource-health", createdByType: "Application" }
  const { properties, ...shown } = restrict(event, HealthEvent.schema(versionOfWorld).ast, ast) as Shown
  const hasLink = fieldsOf(own.get("properties")).has("advisorRecommendations")
  return {
    ...shown,
    ...(own.has("systemData") ? { systemData } : {}),
    ...(properties && { properties: { ...properties, ...(hasLink ? recommendations(event, vendor) : {}) } }),
  }
}

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

export type Shown = HealthEvent.Encoded<ApiVersion.Known>

export const inFull = (event: WireEvent, version: ApiVersion.Known, vendor: string): Shown =>
  named(inVersion(event, version, vendor), vendor)

export const inList = (event: WireEvent, version: ApiVersion.Known, vendor: string): Shown =>
  inFull(withhold(event), version, vendor)

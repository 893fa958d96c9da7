/** Events as a version of the API shows them: without fields that the version lacks, and in lists without sensitive texts. */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Predicate from "effect/Predicate"
import * as SchemaAST from "effect/SchemaAST"
import * as Struct from "effect/Struct"
import type { WireEvent } from "./world/models.js"

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

/** Removes the fields of the latest version that `own` lacks. Unknown fields stay. */
const restrict = (value: unknown, latest: SchemaAST.AST | undefined, own: SchemaAST.AST | undefined): unknown => {
  if (Array.isArray(value)) return value.map((element) => restrict(element, latest, own))
  if (!Predicate.isObject(value)) return value
  const [all, defined] = [fieldsOf(latest), fieldsOf(own)]
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => defined.has(name) || !all.has(name))
      .map(([name, inner]) => [name, restrict(inner, all.get(name), defined.get(name))]),
  )
}

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
  named(inVersion(event, version), vendor)

export const inList = (event: WireEvent, version: ApiVersion.Known, vendor: string): Shown =>
  inFull(withhold(event), version, vendor)

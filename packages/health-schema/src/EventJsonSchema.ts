/** The contract as JSON Schema, for tools that read that: one document for each version and vendor. */
import * as JSONSchema from "effect/JSONSchema"
import type * as Schema from "effect/Schema"
import type * as ApiVersion from "./ApiVersion.js"
import * as EventsPage from "./EventsPage.js"
import * as HealthEvent from "./HealthEvent.js"

/** Draft 07, every record under `$defs`, fields that a record does not know allowed. */
const make = (schema: Schema.Schema.Any): JSONSchema.JsonSchema7Root => {
  const definitions: Record<string, JSONSchema.JsonSchema7> = {}
  const root = JSONSchema.fromAST(schema.ast, { definitions, additionalPropertiesStrategy: "allow" })
  return { $schema: "http://json-schema.org/draft-07/schema#", $defs: definitions, ...root }
}

/**
 * The JSON Schema (draft 07) of an event of a version and vendor. It accepts what `HealthEvent.decode` accepts.
 * @category exports
 * @since 0.1.0
 */
export const event = (version: ApiVersion.ApiVersion, options?: HealthEvent.Options): JSONSchema.JsonSchema7Root =>
  make(HealthEvent.schema(version, options))

/**
 * The JSON Schema (draft 07) of a page of events of a version and vendor.
 * @category exports
 * @since 0.1.0
 */
export const page = (version: ApiVersion.ApiVersion, options?: HealthEvent.Options): JSONSchema.JsonSchema7Root =>
  make(EventsPage.schema(version, options))

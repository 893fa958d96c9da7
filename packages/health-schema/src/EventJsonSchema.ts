/** The contract as JSON Schema (draft 07). */
import * as JSONSchema from "effect/JSONSchema"
import type * as Schema from "effect/Schema"
import type * as ApiVersion from "./ApiVersion.js"
import * as EventsPage from "./EventsPage.js"
import * as HealthEvent from "./HealthEvent.js"

const make = (schema: Schema.Schema.Any): JSONSchema.JsonSchema7Root => {
  const definitions: Record<string, JSONSchema.JsonSchema7> = {}
  const root = JSONSchema.fromAST(schema.ast, { definitions, additionalPropertiesStrategy: "allow" })
  return { $schema: "http://json-schema.org/draft-07/schema#", $defs: definitions, ...root }
}

/** Returns the JSON Schema of an event. It accepts what `HealthEvent.decode` accepts. @category exports @since 0.1.0 */
export const event = (version: ApiVersion.ApiVersion, options?: HealthEvent.Options): JSONSchema.JsonSchema7Root =>
  make(HealthEvent.schema(version, options))

/** Returns the JSON Schema of a page of events. @category exports @since 0.1.0 */
export const page = (version: ApiVersion.ApiVersion, options?: HealthEvent.Options): JSONSchema.JsonSchema7Root =>
  make(EventsPage.schema(version, options))

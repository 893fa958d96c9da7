/** A link from an event into the service's portal (record `link`). */
import * as Schema from "effect/Schema"
import * as Enumerations from "./Enumerations.js"
import { optional, record } from "./internal/record.js"
import * as Json from "./Json.js"

/**
 * `displayText` of a link: the text, and the text in the reader's language.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DisplayText = record("DisplayText", {
  value: optional(Schema.String),
  localizedValue: optional(Schema.String),
})

/**
 * A link. `bladeName` and `extensionName` name the portal's blade and its extension. `parameters` may be any JSON, and holds
 * booleans as the text `"False"` (field notes, "Payload oddities").
 *
 * @category schemas
 * @since 0.1.0
 */
export const Link = record("Link", {
  type: optional(Enumerations.LinkType),
  bladeName: optional(Schema.String),
  extensionName: optional(Schema.String),
  displayText: optional(DisplayText),
  parameters: Schema.optionalWith(Json.Json, { exact: true }),
})

/**
 * @category models
 * @since 0.1.0
 */
export interface Link extends Schema.Schema.Type<typeof Link> {}

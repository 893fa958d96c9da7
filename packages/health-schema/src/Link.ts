/** A link from an event into the service's portal (record `link`). */
import * as Schema from "effect/Schema"
import * as Enumerations from "./Enumerations.js"
import { map, optional, record } from "./internal/record.js"

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
 * `bladeName` and `extensionName` name the portal's blade and its extension; `parameters` is whatever JSON the blade
 * takes, booleans as the text `"False"` among it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Link = record("Link", {
  type: optional(Enumerations.LinkType),
  bladeName: optional(Schema.String),
  extensionName: optional(Schema.String),
  displayText: optional(DisplayText),
  parameters: optional(map),
})

/**
 * @category models
 * @since 0.1.0
 */
export interface Link extends Schema.Schema.Type<typeof Link> {}

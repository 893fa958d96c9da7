/** The long text of an event (record `article`). */
import * as Schema from "effect/Schema"
import { optional, record } from "./internal/record.js"
import * as Json from "./Json.js"

/**
 * The article of an event. `articleContent` may hold HTML, and is hostile until it is sanitised. `parameters` may be any JSON: a map of
 * parameter names to values in the document, and other values in practice (field notes, "Payload oddities").
 *
 * @category schemas
 * @since 0.1.0
 */
export const Article = record("Article", {
  articleContent: optional(Schema.String),
  articleId: optional(Schema.String),
  parameters: Schema.optionalWith(Json.Json, { exact: true }),
})

/**
 * @category models
 * @since 0.1.0
 */
export interface Article extends Schema.Schema.Type<typeof Article> {}

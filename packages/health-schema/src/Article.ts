/** The long text of an event (record `article`). */
import * as Schema from "effect/Schema"
import { map, optional, record } from "./internal/record.js"

/**
 * `articleContent` may hold HTML and is hostile until it is sanitised; `parameters` is whatever JSON was sent.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Article = record("Article", {
  articleContent: optional(Schema.String),
  articleId: optional(Schema.String),
  parameters: optional(map),
})

/**
 * @category models
 * @since 0.1.0
 */
export interface Article extends Schema.Schema.Type<typeof Article> {}

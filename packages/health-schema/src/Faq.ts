/** A question that is often asked about an event (record `faq`). */
import * as Schema from "effect/Schema"
import { optional, record } from "./internal/record.js"

/**
 * @category schemas
 * @since 0.1.0
 */
export const Faq = record("Faq", {
  question: optional(Schema.String),
  answer: optional(Schema.String),
  localeCode: optional(Schema.String),
})

/**
 * @category models
 * @since 0.1.0
 */
export interface Faq extends Schema.Schema.Type<typeof Faq> {}

/** What the service advises to do about an event (record `RecommendedActions`). */
import * as Schema from "effect/Schema"
import { int32, list, optional, record } from "./internal/record.js"

/**
 * One advised action.
 *
 * @category schemas
 * @since 0.1.0
 */
export const RecommendedAction = record("RecommendedAction", {
  actionText: optional(Schema.String),
  groupId: optional(int32),
})

/**
 * `message` is the title above the actions.
 *
 * @category schemas
 * @since 0.1.0
 */
export const RecommendedActions = record("RecommendedActions", {
  message: optional(Schema.String),
  localeCode: optional(Schema.String),
  actions: optional(list(RecommendedAction)),
})

/**
 * @category models
 * @since 0.1.0
 */
export interface RecommendedActions extends Schema.Schema.Type<typeof RecommendedActions> {}

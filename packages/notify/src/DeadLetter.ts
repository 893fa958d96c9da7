/** Notifications that were not delivered, with the reason. */
import * as Schema from "effect/Schema"
import { Notification } from "./Notification.js"

/**
 * A notification that will not be delivered. `refused`: the target will never accept it. `failed`: the sink has a defect. `overflow`: too many
 * events were waiting for the sink.
 * @category schemas @since 0.1.0
 */
export const DeadLetter = Schema.Struct({
  /** The name of the sink. */
  sink: Schema.String,
  reason: Schema.Literals(["refused", "failed", "overflow"]),
  /** A sentence for people, without secrets. */
  detail: Schema.String,
  /** When it became a dead letter, as ISO 8601 in UTC. */
  at: Schema.String,
  notification: Notification,
})

/** @category models @since 0.1.0 */
export interface DeadLetter extends Schema.Schema.Type<typeof DeadLetter> {}

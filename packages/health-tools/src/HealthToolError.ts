/** Why a tool has no answer. */
import * as Schema from "effect/Schema"

/** A language model reads only `message`: what failed, and what to do. It contains no secrets. @category errors @since 0.2.0 */
export class HealthToolError extends Schema.TaggedError<HealthToolError>()("HealthToolError", {
  message: Schema.String,
}) {}

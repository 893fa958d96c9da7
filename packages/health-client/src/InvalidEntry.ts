/** What the errors for entries that do not decode have in common. */
import * as Schema from "effect/Schema"

/** The fields of such an error. @category errors @since 0.2.0 */
export const fields = {
  /** The name of the call, such as `HealthClient.listBySubscription`. */
  operation: Schema.String,
  /** The number of the page, from 1. */
  page: Schema.Int,
  /** The index of the entry in its page, from 0. */
  index: Schema.Int,
  /** The path of the invalid field, such as `properties.lastUpdateTime`; empty for the whole entry. */
  path: Schema.String,
  /** What is wrong there, such as `must be text`. */
  problem: Schema.String,
  /** The entry as it was sent. */
  raw: Schema.Unknown,
}

/**
 * Returns the message of such an error: `noun` is what the entry should be, such as `an event`, and `name` identifies it.
 * @category errors @since 0.2.0
 */
export const message = (
  error: Omit<Schema.Struct.Type<typeof fields>, "raw">,
  noun: string,
  name: string | undefined,
): string =>
  `${error.operation}: entry ${error.index} of page ${error.page}${name === undefined ? "" : ` (${name})`} is not ${noun}: ${error.path || "it"} ${error.problem}. Skip invalid entries with onInvalid, or report them to the service.`

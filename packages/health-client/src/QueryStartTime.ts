/** The start time of a list: an instant, a duration ago, or text that the service reads. */
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"

/** Text that is sent unchanged; see `raw`. @category models @since 0.1.0 */
export interface Raw {
  readonly _tag: "Raw"
  readonly text: string
}

/**
 * The start of a list: an instant (`DateTime` or a valid `Date`), a duration before the list such as `"30 days"`, or `raw` text. Not a number, which
 * could be a duration or a timestamp.
 * @category models @since 0.1.0
 */
export type QueryStartTime = DateTime.DateTime | Date | Exclude<Duration.Input, number | bigint> | Raw

/** Sends text unchanged, for formats that only the service knows. The client then filters no events. @category constructors @since 0.1.0 */
export const raw = (text: string): Raw => ({ _tag: "Raw", text })

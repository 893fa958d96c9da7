/** Spans of time with an open or a closed end, and their union. */
import * as DateTime from "effect/DateTime"
import { dual } from "effect/Function"
import * as Option from "effect/Option"
import * as Order from "effect/Order"

/**
 * From `start` on, up to but not including `end`; without an end, it goes on.
 *
 * @category models
 * @since 0.1.0
 */
export interface Interval {
  readonly start: DateTime.Utc
  readonly end: Option.Option<DateTime.Utc>
}

/**
 * The interval from `start` to `end`; `None` when it would end before it starts.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (start: DateTime.Utc, end: Option.Option<DateTime.Utc>): Option.Option<Interval> =>
  Option.exists(end, DateTime.lessThan(start)) ? Option.none() : Option.some({ start, end })

/**
 * Whether the instant lies in the interval. One of no length holds none.
 *
 * @category guards
 * @since 0.1.0
 */
export const contains: {
  (instant: DateTime.DateTime): (interval: Interval) => boolean
  (interval: Interval, instant: DateTime.DateTime): boolean
} = dual(
  2,
  ({ end, start }: Interval, instant: DateTime.DateTime): boolean =>
    DateTime.greaterThanOrEqualTo(instant, start) && !Option.exists(end, DateTime.lessThanOrEqualTo(instant)),
)

const byStart = Order.mapInput(DateTime.Order, ({ start }: Interval) => start)

/** The later of two ends; none is later than any. */
const later = (a: Interval["end"], b: Interval["end"]): Interval["end"] =>
  Option.zipWith(a, b, (one, other) => DateTime.max(one, other))

/**
 * The least intervals that cover the given ones, in order, with gaps between them. Intervals that touch become one.
 *
 * @category combinators
 * @since 0.1.0
 */
export const union = (intervals: ReadonlyArray<Interval>): ReadonlyArray<Interval> => {
  const merged: Array<Interval> = []
  for (const interval of intervals.toSorted(byStart)) {
    const last = merged.at(-1)
    const apart = last !== undefined && Option.exists(last.end, DateTime.lessThan(interval.start))
    if (last === undefined || apart) merged.push(interval)
    else merged[merged.length - 1] = { start: last.start, end: later(last.end, interval.end) }
  }
  return merged
}

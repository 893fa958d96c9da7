/** Time intervals, with or without an end. */
import * as DateTime from "effect/DateTime"
import { dual } from "effect/Function"
import * as Option from "effect/Option"
import * as Order from "effect/Order"

/** The time from `start` until just before `end`; unbounded without an `end`. @category models @since 0.1.0 */
export interface Interval {
  readonly start: DateTime.Utc
  readonly end: Option.Option<DateTime.Utc>
}

/** Creates the interval from `start` to `end`. `None` if `end` is before `start`. @category constructors @since 0.1.0 */
export const make = (start: DateTime.Utc, end: Option.Option<DateTime.Utc>): Option.Option<Interval> =>
  Option.exists(end, DateTime.isLessThan(start)) ? Option.none() : Option.some({ start, end })

/** Returns whether the instant lies in the interval. An empty interval contains no instant. @category guards @since 0.1.0 */
export const contains: {
  (instant: DateTime.DateTime): (interval: Interval) => boolean
  (interval: Interval, instant: DateTime.DateTime): boolean
} = dual(
  2,
  ({ end, start }: Interval, instant: DateTime.DateTime): boolean =>
    DateTime.isGreaterThanOrEqualTo(instant, start) && !Option.exists(end, DateTime.isLessThanOrEqualTo(instant)),
)

const byStart = Order.mapInput(DateTime.Order, ({ start }: Interval) => start)

/** Returns the union of intervals, in order. Intervals that touch are joined. @category combinators @since 0.1.0 */
export const union = (intervals: ReadonlyArray<Interval>): ReadonlyArray<Interval> => {
  const merged: Array<Interval> = []
  for (const interval of intervals.toSorted(byStart)) {
    const last = merged.at(-1)
    const isApart = last !== undefined && Option.exists(last.end, DateTime.isLessThan(interval.start))
    if (last === undefined || isApart) merged.push(interval)
    else {
      const end = Option.zipWith(last.end, interval.end, (one, other) => DateTime.max(one, other))
      merged[merged.length - 1] = { start: last.start, end }
    }
  }
  return merged
}

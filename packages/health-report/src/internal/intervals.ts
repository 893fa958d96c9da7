/** Unions of intervals. */
import type { Interval } from "@vigil/health-schema/Events"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Order from "effect/Order"

const byStart = Order.mapInput(DateTime.Order, ({ start }: Interval) => start)

/** The union of intervals, in order. Intervals that touch are joined. */
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

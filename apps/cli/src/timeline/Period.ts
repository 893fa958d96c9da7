/** The span of time that is drawn, and where instants and intervals lie on it. */
import type * as Interval from "@vigil/health-schema/Interval"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** Everything in milliseconds since 1970. `now` lies between `from` and `to`; what is planned lies after it. */
export interface Period {
  readonly from: number
  readonly now: number
  readonly to: number
}

/** A part of the period: shares of it, 0 where it begins and 1 where it ends. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** What is planned takes no more than this part of what has been. */
const ahead = 1 / 5

const instants = ({ end, start }: Interval.Interval): ReadonlyArray<number> => [
  DateTime.toEpochMillis(start),
  ...Option.toArray(Option.map(end, DateTime.toEpochMillis)),
]

/** From an instant until now, and a little further when one of the intervals does. */
export const of = (from: number, now: number, intervals: ReadonlyArray<Interval.Interval>): Period => {
  const last = intervals.flatMap(instants).reduce((latest, at) => Math.max(latest, at), now)
  return { from, now, to: Math.min(last, now + (now - from) * ahead) }
}

/** Where an instant lies; outside of 0 to 1 when it is outside of the period. */
export const share = ({ from, to }: Period, at: number): number => (at - from) / (to - from)

/** The interval in milliseconds. One that goes on ends now, or if it is yet to begin, with the period. */
const bounds = (period: Period, { end, start }: Interval.Interval): readonly [start: number, end: number] => {
  const first = DateTime.toEpochMillis(start)
  return [
    first,
    Option.match(end, {
      onNone: () => (first <= period.now ? period.now : Math.max(first, period.to)),
      onSome: DateTime.toEpochMillis,
    }),
  ]
}

/** The part of the period that the interval covers; nothing when it lies outside. */
export const stretch = (period: Period, interval: Interval.Interval): Stretch | undefined => {
  const [start, end] = bounds(period, interval)
  if (end < period.from || start > period.to) return undefined
  return { start: Math.max(0, share(period, start)), end: Math.min(1, share(period, end)) }
}

/** How much of the time until now the intervals cover, in milliseconds; they must not overlap. */
export const elapsed = (period: Period, intervals: ReadonlyArray<Interval.Interval>): number =>
  intervals
    .map((interval) => {
      const [start, end] = bounds(period, interval)
      return Math.max(0, Math.min(end, period.now) - Math.max(start, period.from))
    })
    .reduce((sum, length) => sum + length, 0)

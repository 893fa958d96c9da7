/** The period of a drawing, and the position of instants and intervals in it. */
import type { Interval } from "@vigil/health-schema/Events"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** In milliseconds since 1970. Planned impact is after `now`. */
export interface Period {
  readonly from: number
  readonly now: number
  readonly to: number
}

/** From 0, the start of the period, to 1, its end. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** The maximum share of planned time. */
const ahead = 1 / 5

const instants = ({ end, start }: Interval): ReadonlyArray<number> => [
  DateTime.toEpochMillis(start),
  ...Option.toArray(Option.map(end, DateTime.toEpochMillis)),
]

export const make = (from: number, now: number, intervals: ReadonlyArray<Interval>): Period => {
  const last = intervals.flatMap(instants).reduce((latest, at) => Math.max(latest, at), now)
  return { from, now, to: Math.min(last, now + (now - from) * ahead) }
}

/** Below 0 or above 1 outside the period. */
export const share = ({ from, to }: Period, at: number): number => (at - from) / (to - from)

/** An interval without an end ends now, or with the period if it has not begun. */
const bounds = (period: Period, { end, start }: Interval): readonly [start: number, end: number] => {
  const first = DateTime.toEpochMillis(start)
  return [
    first,
    Option.match(end, {
      onNone: () => (first <= period.now ? period.now : Math.max(first, period.to)),
      onSome: DateTime.toEpochMillis,
    }),
  ]
}

export const stretch = (period: Period, interval: Interval): Stretch | undefined => {
  const [start, end] = bounds(period, interval)
  if (end < period.from || start > period.to) return undefined
  return { start: Math.max(0, share(period, start)), end: Math.min(1, share(period, end)) }
}

/** The time until now that the intervals cover, in milliseconds. They must not overlap. */
export const elapsed = (period: Period, intervals: ReadonlyArray<Interval>): number =>
  intervals
    .map((interval) => {
      const [start, end] = bounds(period, interval)
      return Math.max(0, Math.min(end, period.now) - Math.max(start, period.from))
    })
    .reduce((sum, length) => sum + length, 0)

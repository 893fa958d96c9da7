/** Intervals, and their positions in the period of a drawing. Times are in milliseconds since 1970. */

/** The end is `Infinity` while an impact lasts. */
export interface Interval {
  readonly start: number
  readonly end: number
}

/** Planned impact is after `now`. */
export interface Period {
  readonly from: number
  readonly now: number
  readonly to: number
}

/** The maximum share of planned time. */
const ahead = 1 / 5

export const make = (from: number, now: number, all: ReadonlyArray<Dated>): Period => {
  const last = all.reduce((latest, { interval: { end, start } }) => Math.max(latest, end < Infinity ? end : start), now)
  return { from, now, to: Math.min(last, now + (now - from) * ahead) }
}

/** Below 0 or above 1 outside the period. */
export const share = ({ from, to }: Period, at: number): number => (at - from) / (to - from)

/** An interval without an end ends now, or with the period if it has not begun. */
const endOf = ({ now, to }: Period, { end, start }: Interval): number =>
  end < Infinity ? end : start <= now ? now : Math.max(start, to)

/** The part of an interval in a period, from 0 to 1; nothing outside of it. */
export const stretch = (period: Period, interval: Interval): Interval | undefined => {
  const end = endOf(period, interval)
  if (end < period.from || interval.start > period.to) return undefined
  return { start: Math.max(0, share(period, interval.start)), end: Math.min(1, share(period, end)) }
}

/** Something with an interval. */
export interface Dated {
  readonly interval: Interval
}

export const byStart = (one: Dated, other: Dated): number => one.interval.start - other.interval.start

/** The union of intervals, in order, and what each part consists of. Intervals that touch are joined. */
export const union = <A extends Dated>(
  all: ReadonlyArray<A>,
): ReadonlyArray<Interval & { readonly own: ReadonlyArray<A> }> => {
  const merged: Array<{ readonly start: number; end: number; readonly own: Array<A> }> = []
  for (const one of all.toSorted(byStart)) {
    const last = merged.at(-1)
    if (last === undefined || last.end < one.interval.start) merged.push({ ...one.interval, own: [one] })
    else {
      last.end = Math.max(last.end, one.interval.end)
      last.own.push(one)
    }
  }
  return merged
}

/** The time until now that intervals cover. Overlaps count once. */
export const elapsed = (period: Period, all: ReadonlyArray<Dated>): number =>
  union(all)
    .map((one) => Math.max(0, Math.min(endOf(period, one), period.now) - Math.max(one.start, period.from)))
    .reduce((sum, length) => sum + length, 0)

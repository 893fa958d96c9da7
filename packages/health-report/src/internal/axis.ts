/** The marks of a time axis: round times in UTC. */
import * as Moment from "@vigil/health-text/Moment"
import * as Period from "./period.js"

/** `position` is from 0 to 1. */
export interface Tick {
  readonly position: number
  readonly label: string
}

const hour = 3_600_000
const day = 24 * hour

const steps = [1, 2, 3, 6, 12, 24, 2 * 24, 7 * 24, 14 * 24].map((hours) => hours * hour)

const months = [1, 2, 3, 6, 12, 24, 60, 120, 240]

/** Weeks begin on a Monday, and 1970 on a Thursday. Shorter steps divide this offset. */
const monday = 4 * day

const label = (at: number): string => (at % day === 0 ? Moment.day(at) : Moment.clock(at))

const even = ({ from, to }: Period.Period, step: number): ReadonlyArray<number> => {
  const first = Math.ceil((from - monday) / step) * step + monday
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step)
}

const monthly = ({ from, to }: Period.Period, step: number): ReadonlyArray<number> => {
  const begin = new Date(from)
  const first = Math.ceil(((begin.getUTCFullYear() - 1970) * 12 + begin.getUTCMonth()) / step) * step
  const count = Math.ceil((to - from) / (28 * step * day)) + 1
  return Array.from({ length: count }, (_, index) => Date.UTC(1970, first + index * step)).filter(
    (at) => at >= from && at <= to,
  )
}

/** At most `most` marks, or one more. */
export const ticks = (period: Period.Period, most: number): ReadonlyArray<Tick> => {
  const length = period.to - period.from
  const step = steps.find((step) => length / step <= most)
  if (step !== undefined)
    return even(period, step).map((at) => ({ position: Period.share(period, at), label: label(at) }))
  const stride = months.find((count) => length / (count * 30.4 * day) <= most) ?? Math.ceil(length / (most * 30 * day))
  return monthly(period, stride).map((at) => ({ position: Period.share(period, at), label: Moment.month(at) }))
}

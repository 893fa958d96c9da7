/** Quiet hours: a part of each day in a time zone. */
import * as DateTime from "effect/DateTime"

export interface QuietHours {
  readonly from: string
  readonly to: string
  readonly timeZone: string
}

/** Returns when quiet hours end; `undefined` outside of them. */
export const end = ({ from, timeZone, to }: QuietHours, now: DateTime.Utc): DateTime.Utc | undefined => {
  const {
    day,
    hour: hours,
    minute: minutes,
    month,
    year,
  } = DateTime.toParts(DateTime.makeZonedUnsafe(now, { timeZone }))
  const pad = (part: number) => `${part}`.padStart(2, "0")
  const local = `${pad(hours)}:${pad(minutes)}`
  const isQuiet = from < to ? from <= local && local < to : from <= local || local < to
  if (!isQuiet) return undefined
  const [hour = 0, minute = 0] = to.split(":").map(Number)
  // When clocks are set back, the time may occur twice, and only the second may be ahead. When they skip it, a notification waits up to an hour longer.
  const candidates = ([0, 1] as const).flatMap((days) =>
    (["compatible", "later"] as const).map((disambiguation) =>
      DateTime.toUtc(
        DateTime.makeZonedUnsafe(
          { year, month, day: day + days, hour, minute },
          { timeZone, adjustForTimeZone: true, disambiguation },
        ),
      ),
    ),
  )
  return candidates.find(DateTime.isGreaterThan(now))
}

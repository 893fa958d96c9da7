/** The query parameter `queryStartTime`: month/day/year as the document shows it, or ISO 8601 as the field notes do. */
import * as Limits from "@vigil/health-schema/Limits"
import { day } from "./world/wire.js"

const monthDayYear = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

/** The time it stands for, 3 days back without one (document, "Limits"); nothing for an unreadable one. */
export const read = (text: string | null, now: number): number | undefined => {
  if (text === null || text === "") return now - Limits.defaultDaysBack * day
  const [, month, date, year] = monthDayYear.exec(text) ?? []
  const at =
    month === undefined
      ? /^\d{4}-/.test(text)
        ? Date.parse(text)
        : Number.NaN
      : Date.UTC(Number(year), Number(month) - 1, Number(date))
  return Number.isNaN(at) ? undefined : at
}

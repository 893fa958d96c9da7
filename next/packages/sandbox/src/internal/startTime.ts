/** The query parameter `queryStartTime`: month/day/year (document) or ISO 8601 (field notes). */
import * as Limits from "@vigil/health-schema/Limits"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { day } from "./world/story.js"

const monthDayYear = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

const iso = (text: string): string => {
  const [, month = "", date = "", year] = monthDayYear.exec(text) ?? []
  return year === undefined ? text : `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`
}

/** In milliseconds since 1970, `undefined` if invalid. Default: three days back (document, "Limits"). The default zone is UTC. */
export const read = (text: string | null, now: number): number | undefined => {
  if (text === null || text === "") return now - Limits.defaultDaysBack * day
  const timestamp = iso(text)
  return Timestamp.isTimestamp(timestamp)
    ? Option.getOrUndefined(Option.map(Timestamp.instant(timestamp), DateTime.toEpochMillis))
    : undefined
}

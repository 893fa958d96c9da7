/** The query parameter `queryStartTime`: month/day/year as the document shows it, or ISO 8601 as the field notes do. */
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

/**
 * The time in milliseconds since 1970: three days back without a text (document, "Limits"), in UTC if the text has no zone. Nothing
 * for an invalid text or a day that does not exist.
 */
export const read = (text: string | null, now: number): number | undefined => {
  if (text === null || text === "") return now - Limits.defaultDaysBack * day
  const timestamp = iso(text)
  return Timestamp.isTimestamp(timestamp)
    ? Option.getOrUndefined(Option.map(Timestamp.instant(timestamp), DateTime.toEpochMillis))
    : undefined
}

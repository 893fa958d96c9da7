/** The query parameter `queryStartTime`: month/day/year (document) or ISO 8601 (field notes). */
import * as Limits from "@vigil/health-schema/Limits"
import { day, instantOf } from "./world/story.js"

const monthDayYear = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

const iso = (text: string): string => {
  const [, month = "", date = "", year] = monthDayYear.exec(text) ?? []
  return year === undefined ? text : `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`
}

/** In milliseconds since 1970, `undefined` if invalid. Default: three days back (document, "Limits"). The default zone is UTC. */
export const read = (text: string | null, now: number): number | undefined =>
  text === null || text === "" ? now - Limits.defaultDaysBack * day : instantOf(iso(text))

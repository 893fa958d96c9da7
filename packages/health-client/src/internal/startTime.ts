/** Sends `queryStartTime` as a day; the client filters the rest of the day. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as QueryStartTime from "../QueryStartTime.js"

interface Start {
  readonly text: string
  readonly since: DateTime.Utc | undefined
}

/** The format that the API documents, in UTC. */
const monthDayYear = (instant: DateTime.Utc): string => {
  const date = DateTime.toDateUtc(instant)
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
}

/** Resolves a start time at `now`. */
export const resolve = (start: QueryStartTime.QueryStartTime | undefined, now: DateTime.Utc): Start => {
  if (start === undefined) return { text: "", since: undefined }
  if (Predicate.isTagged(start, "Raw")) return { text: start.text, since: undefined }
  const since =
    DateTime.isDateTime(start) || start instanceof Date
      ? DateTime.toUtc(DateTime.makeUnsafe(start))
      : // No event is older than 1970.
        DateTime.makeUnsafe(Math.max(0, DateTime.toEpochMillis(now) - Duration.toMillis(start)))
  return { text: monthDayYear(since), since }
}

/** Whether an event was updated at or after an instant, or has no update time. */
export const isSince = (event: HealthEvent.HealthEvent<ApiVersion.ApiVersion>, since: DateTime.Utc): boolean => {
  const updated = Timestamp.instant(event.properties?.lastUpdateTime)
  return Option.isNone(updated) || !DateTime.isLessThan(updated.value, since)
}

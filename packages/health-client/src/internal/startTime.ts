/** Sends `queryStartTime` as a day; the client filters the rest of the day. */
import { type AnyEvent, isUpdatedSince as isSince } from "@vigil/health-schema/HealthEvent"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Predicate from "effect/Predicate"
import type * as QueryStartTime from "../QueryStartTime.js"
import type { Start } from "../Source.js"

/** The format that the API documents, in UTC. */
const monthDayYear = (instant: DateTime.Utc): string => {
  const date = DateTime.toDateUtc(instant)
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
}

/** Resolves a start time for a list that was started at `now`. */
export const resolve =
  (start: QueryStartTime.QueryStartTime | undefined) =>
  (now: DateTime.Utc): Start<AnyEvent> => {
    if (start === undefined) return { text: "", since: undefined, isSince }
    if (Predicate.isTagged(start, "Raw")) return { text: start.text, since: undefined, isSince }
    const since =
      DateTime.isDateTime(start) || start instanceof Date
        ? DateTime.toUtc(DateTime.makeUnsafe(start))
        : // No event is older than 1970.
          DateTime.makeUnsafe(Math.max(0, DateTime.toEpochMillis(now) - Duration.toMillis(start)))
    return { text: monthDayYear(since), since, isSince }
  }

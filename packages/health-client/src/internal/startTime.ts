/** Sends `queryStartTime` as a day; the client filters the rest of the day. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { InvalidQuery } from "../InvalidQuery.js"
import * as QueryStartTime from "../QueryStartTime.js"

interface Start {
  readonly text: string
  readonly since: DateTime.Utc | undefined
}

/** The format of the document ("List events for a subscription"), in UTC. */
const monthDayYear = (instant: DateTime.Utc): string => {
  const { day, month, year } = DateTime.toPartsUtc(instant)
  return `${month}/${day}/${year}`
}

/** Resolves a start time at `now`. */
export const resolve = (
  start: QueryStartTime.QueryStartTime | undefined,
  now: DateTime.Utc,
  operation: string,
): Either.Either<Start, InvalidQuery> => {
  if (start === undefined) return Either.right({ text: "", since: undefined })
  if (Predicate.isTagged(start, "Raw")) return Either.right({ text: start.text, since: undefined })
  const parsed = typeof start === "string" ? Option.getOrUndefined(QueryStartTime.parse(start)) : start
  if (parsed === undefined)
    return Either.left(new InvalidQuery({ operation, parameter: "queryStartTime", value: String(start) }))
  const since = DateTime.isDateTime(parsed)
    ? DateTime.toUtc(parsed)
    : // No event is older than 1970.
      DateTime.unsafeMake(Math.max(0, DateTime.toEpochMillis(now) - Duration.toMillis(parsed)))
  return Either.right({ text: monthDayYear(since), since })
}

/** Whether an event was updated at or after an instant, or has no update time. */
export const isSince = (event: HealthEvent.HealthEvent<ApiVersion.ApiVersion>, since: DateTime.Utc): boolean =>
  !Option.exists(Timestamp.instant(event.properties?.lastUpdateTime), DateTime.lessThan(since))

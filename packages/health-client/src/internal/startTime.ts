/** `queryStartTime`: how the service is asked for a time, which it takes in whole days, and what is left to do here. */
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { InvalidQuery } from "../InvalidQuery.js"
import * as QueryStartTime from "../QueryStartTime.js"

/** The text that is sent, if any, and the instant from which on events count, where the text says less than that. */
interface Start {
  readonly text: string | undefined
  readonly since: Option.Option<DateTime.Utc>
}

/** Month/day/year of the day in UTC (document, "List events for a subscription"). */
const monthDayYear = (instant: DateTime.Utc): string => {
  const date = DateTime.toDateUtc(instant)
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
}

const at = (instant: DateTime.Utc): Start => ({ text: monthDayYear(instant), since: Option.some(instant) })

/** So long before `now`, but not before 1970: there are no events. */
const back = (duration: Duration.Duration, now: DateTime.Utc): Start =>
  at(DateTime.unsafeMake(Math.max(0, DateTime.toEpochMillis(now) - Duration.toMillis(duration))))

const unbounded: Start = { text: undefined, since: Option.none() }

const from = (start: DateTime.DateTime | Duration.Duration, now: DateTime.Utc): Start =>
  DateTime.isDateTime(start) ? at(DateTime.toUtc(start)) : back(start, now)

/** What is sent for a start time at `now`. Refuses a text that is neither a date nor a duration. */
export const resolve = (
  start: QueryStartTime.QueryStartTime | undefined,
  now: DateTime.Utc,
  operation: string,
): Either.Either<Start, InvalidQuery> => {
  if (start === undefined) return Either.right(unbounded)
  if (typeof start !== "string")
    return Either.right(
      Predicate.isTagged(start, "Raw") ? { text: start.text, since: Option.none() } : from(start, now),
    )
  return Option.match(QueryStartTime.parse(start), {
    onNone: () => Either.left(new InvalidQuery({ operation, parameter: "queryStartTime", value: start })),
    onSome: (parsed) => Either.right(from(parsed, now)),
  })
}

/** Whether an event counts: it was updated since then, or does not say when. */
export const isSince = (event: HealthEvent.HealthEvent<ApiVersion.ApiVersion>, since: DateTime.Utc): boolean =>
  !Option.exists(Timestamp.instant(event.properties?.lastUpdateTime), DateTime.lessThan(since))

/** `queryStartTime`: how the service is asked for a time, which it takes in whole days, and what is left to do here. */
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type * as Listing from "../Listing.js"

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

/** What a start that is asked for at `now` comes to. */
export const resolve = (start: Listing.SubscriptionQuery["queryStartTime"], now: DateTime.Utc): Start => {
  if (start === undefined || start === "") return { text: undefined, since: Option.none() }
  if (DateTime.isDateTime(start)) return at(DateTime.toUtc(start))
  // One with a sign is no duration: it would count as none at all.
  const duration = String(start).startsWith("-") ? Option.none() : Duration.decodeUnknown(start)
  return Option.match(duration, {
    onSome: (duration) => back(duration, now),
    onNone: () => ({ text: String(start), since: Option.none() }),
  })
}

/** Whether an event counts: it was updated since then, or does not say when. */
export const isSince = (event: HealthEvent.HealthEvent<ApiVersion.ApiVersion>, since: DateTime.Utc): boolean =>
  !Option.exists(Timestamp.instant(event.properties?.lastUpdateTime), DateTime.lessThan(since))

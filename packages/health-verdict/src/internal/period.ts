/** The period of the events that may explain a state. */
import * as QueryStartTime from "@vigil/health-client/QueryStartTime"
import * as Limits from "@vigil/health-schema/Limits"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"

/** In milliseconds since 1970. */
export const begin = (now: number): number => now - Duration.toMillis(Duration.days(Limits.activeDaysBack))

/** As text: the client drops what is older than an instant, such as an active event without an update for 90 days. */
export const start = (now: number): QueryStartTime.Raw =>
  QueryStartTime.raw(
    DateTime.formatUtc(DateTime.makeUnsafe(begin(now)), {
      locale: "en-US",
      year: "numeric",
      month: "numeric",
      day: "numeric",
    }),
  )

/** Flags that take a time or a duration. */
import * as QueryStartTime from "@vigil/health-client/QueryStartTime"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"

export type Since = DateTime.Utc | Duration.Duration

const isPast = (since: Since, now: DateTime.Utc): boolean =>
  Duration.isDuration(since) ? Duration.greaterThan(since, Duration.zero) : DateTime.lessThan(since, now)

const time = Flag.parsed(
  "time",
  `a duration such as 12h, 3d or "2 weeks", or a date such as 2026-03-10 or 2026-03-10T12:00Z`,
  QueryStartTime.parse,
)

export const parseSince = (text: string, from: string): Effect.Effect<Since, UsageError> =>
  Effect.gen(function* () {
    const since = yield* time.parse(text, from)
    if (!isPast(since, yield* DateTime.now))
      return yield* new UsageError(`${from} ${JSON.stringify(text)} is not in the past: pass an earlier time.`)
    return since
  })

/** A phrase: `in the last 3d`, or `since 2026-03-10T12:00:00.000Z`. */
export const describe = (since: Since): string =>
  Duration.isDuration(since) ? `in the last ${Duration.format(since)}` : `since ${DateTime.formatIso(since)}`

/** `2026-03-10 12:00`, in UTC. */
export const minute = (instant: DateTime.Utc): string => DateTime.formatIso(instant).slice(0, 16).replace("T", " ")

export const sinceOf = (description: string) => Flag.optional({ ...time, parse: parseSince }, description)

/** `byDefault` is for the help: the commands set it. */
export const since = (byDefault: string) =>
  sinceOf(`Only events updated since then, such as 12h (default: ${byDefault})`)

export const duration = (most: Duration.DurationInput): Flag.Value<Duration.Duration> =>
  Flag.parsed("time", `a time from 1s to ${Duration.format(most)}, such as 30s, 5m or "2 hours"`, (text) =>
    Option.filter(QueryStartTime.parseDuration(text), Duration.between({ minimum: "1 second", maximum: most })),
  )

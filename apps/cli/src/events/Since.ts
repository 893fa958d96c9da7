/** How far back a command reads: a duration before now, or since an instant. */
import * as Options from "@effect/cli/Options"
import * as QueryStartTime from "@vigil/health-client/QueryStartTime"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { UsageError } from "../Failure.js"

/** The flag. */
export const flag = Options.text("since").pipe(
  Options.withDescription(
    "Only events updated since then: 90m, 12h, 3d or 2 weeks ago, or a date or date-time (default zone: UTC).",
  ),
  Options.withPseudoName("time"),
  Options.optional,
)

const isPast = (since: DateTime.Utc | Duration.Duration, now: DateTime.Utc): boolean =>
  Duration.isDuration(since) ? Duration.greaterThan(since, Duration.zero) : DateTime.lessThan(since, now)

/** Parses the flag: a duration back, or a date or date-time in the past. */
export const parse = (text: string): Effect.Effect<DateTime.Utc | Duration.Duration, UsageError> =>
  Effect.gen(function* () {
    const flag = `--since ${JSON.stringify(text)}`
    const since = yield* Effect.mapError(
      QueryStartTime.parse(text),
      () =>
        new UsageError({
          message: `${flag} is not valid: give how far back, such as 12h, 3d or "2 weeks", or a date such as 2026-03-10 or 2026-03-10T12:00Z.`,
        }),
    )
    if (!isPast(since, yield* DateTime.now))
      return yield* new UsageError({ message: `${flag} is not in the past: give an earlier time.` })
    return since
  })

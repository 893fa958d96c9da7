/** How far back a command looks: so long before now, or since an instant. */
import * as Options from "@effect/cli/Options"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../Failure.js"
import * as Span from "./Span.js"

/** The flag. */
export const flag = Options.text("since").pipe(
  Options.withDescription(
    "Only events updated since then: 90m, 12h, 3d or 2 weeks ago, or a date or date-time (default zone: UTC).",
  ),
  Options.withPseudoName("time"),
  Options.optional,
)

const instant = (text: string): DateTime.Utc | undefined =>
  Timestamp.isTimestamp(text) ? Option.getOrUndefined(Timestamp.instant(text)) : undefined

const isPast = (since: DateTime.Utc | Duration.Duration, now: DateTime.Utc): boolean =>
  Duration.isDuration(since) ? Duration.greaterThan(since, Duration.zero) : DateTime.lessThan(since, now)

/** Reads the flag: a time span back, or an ISO 8601 date or date-time in the past. */
export const parse = (text: string): Effect.Effect<DateTime.Utc | Duration.Duration, UsageError> =>
  Effect.gen(function* () {
    const flag = `--since ${JSON.stringify(text)}`
    const since = Span.read(text) ?? instant(text.trim())
    if (since === undefined)
      return yield* new UsageError({
        message: `${flag} is not valid: give how far back, such as 12h, 3d or "2 weeks", or a date such as 2026-03-10 or 2026-03-10T12:00Z.`,
      })
    if (!isPast(since, yield* DateTime.now))
      return yield* new UsageError({ message: `${flag} is not in the past: give an earlier time.` })
    return since
  })

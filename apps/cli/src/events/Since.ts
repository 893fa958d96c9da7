/** How far back a command reads: a duration before now, or since an instant. */
import * as Options from "@effect/cli/Options"
import * as QueryStartTime from "@vigil/health-client/QueryStartTime"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { UsageError } from "../Failure.js"

/** The flag. */
export const flag = Options.text("since").pipe(
  Options.withDescription(
    "Only events that were updated since then: so far back (90m, 12h, 3d, 2 weeks), or at a date or a date-time, in UTC where it names no zone.",
  ),
  Options.withPseudoName("time"),
  Options.optional,
)

/** Parses the flag: a duration back, a date or a date-time. */
export const parse = (text: string): Effect.Effect<DateTime.Utc | Duration.Duration, UsageError> =>
  Effect.mapError(
    QueryStartTime.parse(text),
    () =>
      new UsageError({
        message: `--since ${JSON.stringify(text)} is not valid: give how far back, such as 12h, 3d or "2 weeks", or a date such as 2026-03-10 or 2026-03-10T12:00Z.`,
      }),
  )

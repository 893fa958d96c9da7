/** A duration as it is written on a command line: `30s`, `5m`, `12 hours`. */
import * as QueryStartTime from "@vigil/health-client/QueryStartTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../Failure.js"

/** Parses the duration of a flag, of at least a second and at most `most`. */
export const parse = (
  flag: string,
  text: string,
  most: Duration.DurationInput,
): Effect.Effect<Duration.Duration, UsageError> =>
  Effect.mapError(
    Option.filter(QueryStartTime.parseDuration(text), Duration.between({ minimum: "1 second", maximum: most })),
    () =>
      new UsageError({
        message: `${flag} ${JSON.stringify(text)} is not valid: give a time from 1s to ${Duration.format(most)}, such as 30s, 5m or "2 hours".`,
      }),
  )

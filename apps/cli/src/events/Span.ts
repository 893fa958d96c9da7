/** A time span as it is written on a command line: `30s`, `5m`, `12 hours`. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { UsageError } from "../Failure.js"

const form = /^(\d{1,6}) ?(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?)$/i

const units: Readonly<Record<string, (count: number) => Duration.Duration>> = {
  s: Duration.seconds,
  m: Duration.minutes,
  h: Duration.hours,
  d: Duration.days,
  w: Duration.weeks,
}

/** The span that a text says; nothing where it says none. */
export const read = (text: string): Duration.Duration | undefined => {
  const [, count, unit = ""] = form.exec(text.trim()) ?? []
  return units[unit.charAt(0).toLowerCase()]?.(Number(count))
}

/** Reads the span that a flag is given, of at least a second and at most `most`. */
export const parse = (
  flag: string,
  text: string,
  most: Duration.DurationInput,
): Effect.Effect<Duration.Duration, UsageError> => {
  const span = read(text)
  return span !== undefined && Duration.between(span, { minimum: "1 second", maximum: most })
    ? Effect.succeed(span)
    : new UsageError({
        message: `${flag} ${JSON.stringify(text)} is not valid: give a time from 1s to ${Duration.format(most)}, such as 30s, 5m or "2 hours".`,
      })
}

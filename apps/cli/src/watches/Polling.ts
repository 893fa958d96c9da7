/** What commands that poll do after a poll: which failures end them, and what they note. */
import type { InvalidEntry } from "@vigil/health-client/Listing"
import { TokenRefused } from "@vigil/oauth/OAuthClientCredentials"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import * as Failure from "../command/Failure.js"
import * as Flag from "../flags/Flag.js"
import * as Time from "../flags/Time.js"
import { notePrefix, plural, type Service } from "../output/Output.js"

export const every = Flag.withDefault(Time.duration("7 days"), "5m", "Time between polls")

/** Whether the token can no longer be renewed after a successful poll. Other causes, such as a maintenance page, may be temporary. */
const isFinal = (cause: unknown): boolean => {
  if (Predicate.hasProperty(cause, "isFinal")) return cause.isFinal === true
  // Without a cause, the credential does not renew its token, such as a stored one.
  return cause instanceof TokenRefused ? cause.reason.status >= 400 && cause.reason.status < 500 : cause === undefined
}

/** Whether the next poll would fail with the same error. */
export const isLasting = (error: Failure.Failure, hasSucceeded: boolean): boolean => {
  if (!Failure.isRequestError(error)) return false
  const { reason, isRetryable } = error
  if (reason._tag === "Credential") return !isRetryable && (!hasSucceeded || isFinal(reason.cause))
  return "status" in reason && reason.status < 500 && reason.status !== 408 && reason.status !== 429
}

/** Notes each failed poll, and the first successful one after it. `subject`: what is polled, if there are several. */
export const outcomes = ({ note }: Service, every: Duration.Duration, subject?: string) => {
  const start = notePrefix(subject)
  let failures = 0
  return {
    fail: (error: Failure.Failure): Effect.Effect<void> => {
      failures += 1
      return note(`${start}A poll failed, the next one is in ${Duration.format(every)}. ${Failure.plain(error)}`)
    },
    succeed: Effect.suspend(() => {
      if (failures === 0) return Effect.void
      const polls = plural(failures, "failed poll")
      failures = 0
      return note(`${start}Polling recovered after ${polls}.`)
    }),
  }
}

interface Follow {
  readonly output: Service
  readonly every: Duration.Duration
  /** What is polled, if there are several. */
  readonly subject: string | undefined
  /** Whether the first failure ends the command. */
  readonly once: boolean
}

/** Notes failed polls, and ends a command whose next poll would fail, too. `onEnd` runs after each poll. */
export const follow = ({ every, once, output, subject }: Follow) => {
  const noted = outcomes(output, every, subject)
  let hasFailed = false
  let hasSucceeded = false
  return {
    fail: <E extends Failure.Failure>(error: E, isMistake: boolean): Effect.Effect<void, E> => {
      hasFailed = true
      return once || isMistake || isLasting(error, hasSucceeded) ? Effect.fail(error) : noted.fail(error)
    },
    schedule: once
      ? Schedule.recurs(0)
      : schedule(
          output,
          every,
          Effect.suspend(() => {
            const isSuccess = !hasFailed
            hasFailed = false
            hasSucceeded ||= isSuccess
            return isSuccess ? noted.succeed : Effect.void
          }),
        ),
  }
}

const maxNoted = 1_000

/** Notes each problem of each entry once, of the first 1,000: every poll finds the same invalid entries. */
export const noteInvalid = ({ note }: Service, subject?: string, noun?: string) => {
  const noted = new Set<string>()
  return (entry: InvalidEntry): Effect.Effect<void> => {
    const what = `${entry.trackingId ?? ""} ${entry.path} ${entry.problem}`
    if (noted.has(what) || noted.size >= maxNoted) return Effect.void
    noted.add(what)
    return note(notePrefix(subject) + Failure.describeEntry(entry, noun))
  }
}

/** `onEnd` runs after each poll. */
export const schedule = ({ status }: Service, every: Duration.Duration, onEnd: Effect.Effect<void> = Effect.void) =>
  Schedule.tap(Schedule.spaced(every), () =>
    Effect.andThen(
      onEnd,
      Effect.flatMap(DateTime.now, (now) =>
        status(`Next poll at ${DateTime.formatIso(DateTime.addDuration(now, every)).slice(11, 19)} UTC`),
      ),
    ),
  )

/** What commands that poll do after a poll: which failures end them, and what they note. */
import type { InvalidEntry } from "@vigil/health-client/Listing"
import { TokenRefused } from "@vigil/oauth/OAuthClientCredentials"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import * as Defect from "../output/Defect.js"
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
const isLasting = (error: Failure.Failure, hasSucceeded: boolean): boolean => {
  if (!Failure.isRequestError(error)) return false
  const { reason, isRetryable } = error
  if (reason._tag === "Credential") return !isRetryable && (!hasSucceeded || isFinal(reason.cause))
  return "status" in reason && reason.status < 500 && reason.status !== 408 && reason.status !== 429
}

const maxNoted = 1_000

/** A list that is polled. `subject`: what it is, if there are several. `noun`: what an entry is, if it is not an event. */
interface List {
  readonly output: Service
  readonly every: Duration.Duration
  readonly subject?: string | undefined
  readonly noun?: string | undefined
}

/** Remembers what the polls of a list found. Notes each failed poll, the first successful one after it, and invalid entries. */
export const outcomes = ({ every, noun, output: { note }, subject }: List) => {
  const start = notePrefix(subject)
  const noted = new Set<string>()
  let failures = 0
  let hasSucceeded = false
  return {
    /** Whether the next poll would fail with the same error. */
    isLasting: (error: Failure.Failure): boolean => isLasting(error, hasSucceeded),
    /** Whether it must end the command: the service rejects the first poll, or only a restart helps, because it reads another credential. */
    isFatal: (error: Failure.Failure): boolean =>
      isLasting(error, hasSucceeded) &&
      ((!hasSucceeded && failures === 0) || (Failure.isRequestError(error) && error.reason._tag === "Credential")),
    fail: (error: Failure.Failure): Effect.Effect<void> => {
      failures += 1
      return note(`${start}A poll failed, the next one is in ${Duration.format(every)}. ${Failure.plain(error)}`)
    },
    succeed: Effect.suspend(() => {
      hasSucceeded = true
      if (failures === 0) return Effect.void
      const polls = plural(failures, "failed poll")
      failures = 0
      return note(`${start}Polling recovered after ${polls}.`)
    }),
    /** Notes each problem of each entry once, of the first 1,000: every poll finds the same invalid entries. */
    invalid: (entry: InvalidEntry): Effect.Effect<void> => {
      const what = `${entry.trackingId ?? ""} ${entry.path} ${entry.problem}`
      if (noted.has(what) || noted.size >= maxNoted) return Effect.void
      noted.add(what)
      return note(start + Failure.describeEntry(entry, noun))
    },
  }
}

/** `onEnd` runs after each poll. */
const schedule = ({ status }: Service, every: Duration.Duration, onEnd: Effect.Effect<void> = Effect.void) =>
  Schedule.tap(Schedule.spaced(every), () =>
    Effect.andThen(
      onEnd,
      Effect.flatMap(DateTime.now, (now) =>
        status(`Next poll at ${DateTime.formatIso(DateTime.addDuration(now, every)).slice(11, 19)} UTC`),
      ),
    ),
  )

/** For a command that polls one list. `once`: the first failure ends it. */
export const follow = ({ once, ...list }: List & { readonly once: boolean }) => {
  const { fail, invalid, isFatal, succeed } = outcomes(list)
  let hasFailed = false
  return {
    invalid,
    fail: <E extends Failure.Failure>(error: E, isMistake: boolean): Effect.Effect<void, E> => {
      hasFailed = true
      return once || isMistake || isFatal(error) ? Effect.fail(error) : fail(error)
    },
    schedule: once
      ? Schedule.recurs(0)
      : schedule(
          list.output,
          list.every,
          Effect.suspend(() => {
            const isSuccess = !hasFailed
            hasFailed = false
            return isSuccess ? succeed : Effect.void
          }),
        ),
  }
}

/** Polls until `poll` itself fails. It handles the failures of its lists. A defect ends only a poll. */
export const repeat = <E, R>(poll: Effect.Effect<void, E, R>, { every, output }: Pick<List, "every" | "output">) =>
  poll.pipe(
    Defect.orNote(output, `A poll failed, the next one is in ${Duration.format(every)}.`),
    Effect.repeat(schedule(output, every)),
  )

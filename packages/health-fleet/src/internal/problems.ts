/** What a runner cannot do at the moment, and why. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { FleetError } from "../FleetError.js"

/** Something that a runner cannot do. @category models @since 0.3.0 */
export interface Problem {
  /** Such as `claim polls`. */
  readonly attempt: string
  /** Contains no text of a response. */
  readonly message: string
}

/** By attempt. Each runner has its own. `at`: when it was last seen, in monotonic time. */
export const Problems = Context.Reference<Map<string, Problem & { readonly at: bigint }>>(
  "@vigil/health-fleet/Problems",
  { defaultValue: () => new Map() },
)

/** What fails is tried again sooner. What does not fail again may have been done by another runner. */
const lifetime = Duration.toNanosUnsafe("30 seconds")

/** The problems of the last 30 seconds that no success has ended. */
export const current: Effect.Effect<ReadonlyArray<Problem>> = Effect.zipWith(
  Problems,
  Clock.monotonicTimeNanos,
  (problems, now) => [...problems.values()].filter(({ at }) => now - at < lifetime),
)

/** Ends the problem of an attempt. */
export const succeed = (attempt: string): Effect.Effect<void> =>
  Effect.flatMap(Problems, (problems) =>
    problems.delete(attempt) ? Effect.ignoreCause(Effect.logInfo(`The runner can ${attempt} again.`)) : Effect.void,
  )

/** Records a failure, and waits before the caller tries again. Logs the first failure, each new cause and the next success. */
export const orWarn =
  (attempt: string, wait: Duration.Input = "1 second") =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | undefined, never, R> =>
    effect.pipe(
      Effect.tap(() => succeed(attempt)),
      Effect.catchCause(
        Effect.fnUntraced(function* (cause) {
          if (Cause.hasInterruptsOnly(cause)) return yield* Effect.interrupt
          const failure = cause.reasons.find(Cause.isFailReason)
          const message = failure
            ? new FleetError({ attempt, cause: Redacted.make(failure.error) }).message
            : `Could not ${attempt}.`
          const isKnown = (yield* current).some((known) => known.attempt === attempt && known.message === message)
          const at = yield* Clock.monotonicTimeNanos
          yield* Effect.map(Problems, (problems) => problems.set(attempt, { attempt, message, at }))
          // A logger with a defect must not end the runner.
          if (!isKnown)
            yield* Effect.ignoreCause(failure ? Effect.logWarning(message) : Effect.logError(message, cause))
          yield* Effect.sleep(wait)
          return undefined
        }),
      ),
    )

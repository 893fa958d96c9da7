/** A call of a tool: its options, its session and its deadline. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import type { Options, Scope } from "./Scope.js"
import type { Session } from "./Session.js"

export interface Call {
  readonly options: Options
  readonly scope: Scope
  readonly session: Session
  /** Characters of an answer. */
  readonly budget: number
  /** In milliseconds since 1970. */
  readonly deadline: number
}

/** In seconds. An answer then has what was read. */
export const maxSeconds = 25

/** Reads a list with a permit of the session, until the deadline of the call. Succeeds with the message of an error. */
export const attempt = <A, R>(
  { deadline, session }: Call,
  effect: Effect.Effect<A, { readonly message: string }, R>,
): Effect.Effect<Result.Result<A, string>, never, R> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Semaphore.withPermits(
      session.permits,
      1,
    )(effect).pipe(
      Effect.map(Result.succeed),
      Effect.catch(({ message }) => Effect.succeed(Result.fail(message))),
      Effect.timeoutOrElse({
        duration: Math.max(0, deadline - now),
        orElse: () => Effect.succeed(Result.fail(`There was no complete response within ${maxSeconds} seconds.`)),
      }),
    ),
  )

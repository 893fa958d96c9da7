/** Caches the credential of a client: one fiber fetches it, all requests share it, and a 401 renews it. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Credential } from "../Credential.js"
import * as Reason from "../Reason.js"

/** `fetchedAt` is on the monotonic clock. All times are in nanoseconds. */
export interface Header {
  readonly name: string
  readonly value: Redacted.Redacted
  readonly fetchedAt: bigint
  /** After this age, the next secret is fetched in the background. */
  readonly freshFor: number
  readonly lifetime: number
  readonly source: string | undefined
}

export interface CredentialCache {
  readonly get: Effect.Effect<Header | undefined, Reason.Credential>
  /** Like `get`, without running an effect. */
  readonly known: Effect.Effect<Header | undefined, Reason.Credential>
  /** Removes the header from the cache. Returns whether it can be fetched again. */
  readonly renew: (header: Header | undefined) => boolean
}

/** A failed renewal is not repeated for this time if it was refused or the old secret is valid. Otherwise, each request would repeat it. */
const pause = 10e9

export const make = (credential: Credential, timeout: Duration.Duration, scope: Scope.Scope): CredentialCache => {
  if (credential._tag === "None") {
    const get = Effect.succeed(undefined)
    return { get, known: get, renew: () => false }
  }
  const { name, renewable, source, value } = credential
  let cached: Header | undefined
  let isRenewal = false
  /** Of the last renewal. */
  let failedAt: bigint | undefined
  let refusal: Reason.Credential | undefined
  let pending: Fiber.Fiber<Header, Reason.Credential> | undefined

  // `Effect.timeoutOrElse` and `Effect.zipWith` would add 150 bytes to each bundle.
  const timedOut = Effect.flatMap(
    Effect.sleep(timeout),
    () => new Reason.Credential({ problem: "timeout", isRetryable: true }),
  )
  const fetch = Effect.raceFirst(value, timedOut).pipe(
    Effect.flatMap((fetched) =>
      Effect.map(Clock.monotonicTimeNanos, (fetchedAt): Header => {
        const lifetime = Duration.toMillis(fetched.lifetime ?? Duration.infinity) * 1e6
        const freshFor = lifetime - Math.min(300e9, lifetime / 10)
        isRenewal = true
        failedAt = refusal = undefined
        return (cached = { name, value: fetched.secret, source, fetchedAt, freshFor, lifetime })
      }),
    ),
    Effect.tapError((error) =>
      Effect.map(Clock.monotonicTimeNanos, (at) => {
        if (!isRenewal) return
        failedAt = at
        refusal = error.isRetryable ? undefined : error
      }),
    ),
    Effect.ensuring(Effect.sync(() => (pending = undefined))),
    Effect.interruptible,
  )

  /** A fiber in a closed scope does not start. */
  const result = (fiber: Fiber.Fiber<Header, Reason.Credential>): Effect.Effect<Header, Reason.Credential> =>
    Effect.flatMap(Fiber.await(fiber), (exit) =>
      Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
        ? new Reason.Credential({ problem: "closed", isRetryable: false })
        : exit,
    )

  /** Uninterruptible until it waits, because a pending fetch must be forked. */
  const get = Effect.flatten(
    Effect.uninterruptible(
      Effect.clockWith((clock): Effect.Effect<Effect.Effect<Header, Reason.Credential>> => {
        const now = clock.monotonicTimeNanosUnsafe()
        const isWithin = (begin: bigint, duration: number) => now >= begin && Number(now - begin) < duration
        const header = cached && isWithin(cached.fetchedAt, cached.lifetime) ? cached : undefined
        const hasFailed = failedAt !== undefined && isWithin(failedAt, pause)
        if (header !== undefined && (hasFailed || isWithin(header.fetchedAt, header.freshFor)))
          return Effect.succeed(Effect.succeed(header))
        if (hasFailed && refusal !== undefined) return Effect.succeed(refusal)
        // A fixed secret takes no time, and finalizers of the scope may use it.
        if (!renewable) return Effect.succeed(fetch)
        // In the client's scope, because the first request may be cancelled while others wait.
        const fetching = pending === undefined ? Effect.forkIn(fetch, scope) : Effect.succeed(pending)
        return Effect.map(fetching, (fiber) => {
          pending = fiber
          return header === undefined ? result(fiber) : Effect.succeed(header)
        })
      }),
    ),
  )

  return {
    get,
    // A fixed secret is checked, which takes no time.
    known: renewable ? Effect.sync(() => cached) : get,
    renew: (header) => {
      if (cached === header) cached = undefined
      return renewable
    },
  }
}

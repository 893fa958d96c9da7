/** The cache of a client's credential: one fiber fetches it, all requests share it, and a 401 makes it fetch again. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Credential, Failure } from "../Credential.js"

/** The header to send; `since` is on the monotonic clock, in nanoseconds. */
export interface Header {
  readonly name: string
  readonly value: Redacted.Redacted
  readonly since: bigint
}

/** The credential as requests use it. */
export interface CredentialCache {
  /** The header to send; `undefined` without a credential. */
  readonly get: Effect.Effect<Header | undefined, Failure>
  /** Fetches the header before the request waits for the rate limit, unless each attempt needs its own. */
  readonly prepare: Effect.Effect<unknown, Failure>
  /** Removes this header from the cache, and returns whether another one can be fetched. */
  readonly renew: (header: Header | undefined) => boolean
}

/** The texts that no error may contain: the header, and what follows its scheme. */
export const secretsOf = (header: Header | undefined): ReadonlyArray<string> => {
  if (header === undefined) return []
  const text = Redacted.value(header.value)
  return [text, text.replace(/^\S+ +/, "")]
}

/** The cache of one client. Fetching fails after `patience`, and ends with the scope. */
export const make = (credential: Credential, patience: Duration.Duration, scope: Scope.Scope): CredentialCache => {
  if (credential._tag === "None") return { get: Effect.succeed(undefined), prepare: Effect.void, renew: () => false }
  const { name, renewable, timeToLive, value } = credential
  const lifetime = Duration.toMillis(timeToLive) * 1e6
  let cached: Header | undefined
  let pending: Deferred.Deferred<Header, Failure> | undefined

  const fetch = value.pipe(
    Effect.timeoutFail({ duration: patience, onTimeout: (): Failure => ({ reason: "late" }) }),
    Effect.zipWith(Clock.currentTimeNanos, (value, since): Header => (cached = { name, value, since })),
    Effect.ensuring(
      Effect.sync(() => {
        pending = undefined
      }),
    ),
    Effect.interruptible,
    Effect.catchAllCause((cause) =>
      Cause.isInterrupted(cause) ? Effect.fail<Failure>({ reason: "closed" }) : Effect.failCause(cause),
    ),
  )

  /** The cached header, or the fetch to wait for. Uninterruptible: the fetch must be forked once it is pending. */
  const find = Effect.flatMap(Clock.currentTimeNanos, (now) => {
    const age = cached === undefined ? -1 : Number(now - cached.since)
    if (cached !== undefined && age >= 0 && age < lifetime) return Effect.succeed(Effect.succeed(cached))
    if (pending !== undefined) return Effect.succeed(Deferred.await(pending))
    const fetched = (pending = Deferred.unsafeMake<Header, Failure>(FiberId.none))
    // In the scope of the client: the request that began it may be cancelled while others wait for it.
    return Effect.as(Effect.forkIn(Effect.intoDeferred(fetch, fetched), scope), Deferred.await(fetched))
  })
  const get = Effect.flatten(Effect.uninterruptible(find))

  return {
    get,
    prepare: lifetime === 0 ? Effect.void : get,
    renew: (header) => {
      if (cached === header) cached = undefined
      return renewable
    },
  }
}
